import type { paths } from '@shopbell/client'
import { useQuery } from '@tanstack/react-query'
import { formatNumber, formatVnd } from '../../../format.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { categoriesQuery } from '../product-queries.ts'
import { productTexts } from '../texts.ts'
import { historyTexts } from './history-texts.ts'

type Answer =
  paths['/api/external/v1/products/{id}/history']['get']['responses'][200]['content']['application/json']
export type HistoryEntry = Answer['data'][number]
type Value = string | number | null

/** Describes changed fields for people, one per line: `Giá bán: 50.000 ₫ → 60.000 ₫`. */
export function useChangeTexts(): (changes: HistoryEntry['changes']) => string[] {
  const texts = useTexts(productTexts)
  const words = useTexts(historyTexts)
  const { language } = useLanguage()
  const categories = useQuery(categoriesQuery)
  const names: Record<string, string> = {
    name: texts.name,
    price: texts.price,
    originPrice: texts.originPrice,
    vat: texts.vat,
    categoryId: texts.category,
    itemSku: texts.itemSku,
    barcode: texts.barcode,
    description: texts.description,
    images: texts.images,
    ...words.fields,
  }
  const statuses: Record<string, string> = texts.statuses
  const shown = (field: string, value: Value): string => {
    if (value === null || value === '') return words.none
    if (field === 'price' || field === 'originPrice') return formatVnd(Number(value), language)
    if (field === 'vat') return formatNumber(Number(value), language)
    if (field === 'status') return statuses[value] ?? String(value)
    if (field === 'categoryId')
      return categories.data?.find(({ _id }) => _id === value)?.name ?? String(value)
    return field === 'images' ? words.images(Number(value)) : String(value)
  }
  return (changes) =>
    Object.entries(changes).map(([field, [before = null, after = null]]) => {
      const name = names[field] ?? field
      if (field === 'description') return `${name}: ${words.textChanged}`
      if (field === 'images' && before === after) return `${name}: ${words.imagesChanged}`
      return `${name}: ${shown(field, before)} → ${shown(field, after)}`
    })
}
