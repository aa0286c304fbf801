import { List, Stack, Text } from '@mantine/core'
import { queryClient } from '../../../api/query.ts'
import { ask } from '../../../components/dialogs/questions.tsx'
import { formatNumber } from '../../../format.ts'
import type { Language } from '../../../texts/catalogue.ts'
import { type Product, warehouseStockQuery, warehousesQuery } from '../product-queries.ts'
import { heirsOf, isSameVariant, removedSkus, withOptionsOf } from '../variants/removed-skus.ts'
import { removedTexts } from '../variants/removed-texts.ts'
import { madeOf, withFields } from '../variants/variant-rows.ts'
import type { ProductValues } from './product-values.ts'

/**
 * Asks before a save removes variants that have stock. A new variant that replaces one takes over its SKU, and so its stock
 * and its reservations, in the request that replaces the variants (G-37); the question names all other pieces as lost.
 * @returns the values to save. If the person does not agree, they are the form's values, with the options again of which
 * pieces would have been lost.
 */
export async function agreeOnStock(
  product: Product,
  values: ProductValues,
  language: Language,
): Promise<{ isAgreed: boolean; values: ProductValues }> {
  const removed = removedSkus(product, values.variants)
  if (removed.length === 0) return { isAgreed: true, values }
  const levels = await levelsOf(product)
  const texts = removedTexts[language]
  const count = (pieces: number) => formatNumber(pieces, language)
  const stocked = removed.flatMap((sku) => {
    const own = levels.flatMap(({ _id, warehouseStock }) => (_id === sku._id ? (warehouseStock ?? []) : []))
    const pieces = own.reduce((sum, { quantity }) => sum + quantity, 0)
    const reserved = own.reduce((sum, one) => sum + one.reserved, 0)
    return pieces > 0 || reserved > 0 ? [{ sku, pieces, reserved }] : []
  })
  const heirs = heirsOf(
    stocked.map(({ sku }) => sku),
    product,
    values.variants,
  )
  const lines = stocked.flatMap(({ sku, pieces, reserved }) => {
    const heir = heirs.get(sku._id)
    if (heir !== undefined && isSameVariant(sku, heir, product)) return []
    const name = sku.name || product.name
    const stock = texts.inStock(count(pieces), reserved > 0 ? count(reserved) : undefined)
    return heir === undefined ? texts.lost(name, stock) : texts.moved(name, stock, heir.name)
  })
  const isLost = stocked.some(({ sku }) => !heirs.has(sku._id))
  if (lines.length > 0 && !(await agrees(lines, isLost, texts))) {
    const variants = isLost ? withOptionsOf(madeOf(product), values.variants) : values.variants
    return { isAgreed: false, values: { ...values, variants } }
  }
  const fields = new Map([...heirs].map(([_id, { key }]) => [key, { _id }]))
  return {
    isAgreed: true,
    values: {
      ...values,
      variants: withFields(values.variants, fields, values.price ?? 0),
      tiers: values.tiers.map((tier) => ({ ...tier, sku: fields.get(tier.sku)?._id ?? tier.sku })),
    },
  }
}

async function levelsOf(product: Product) {
  const places = await queryClient.fetchQuery({ ...warehousesQuery, staleTime: 0 })
  const stocks = places.map(({ _id }) =>
    queryClient.fetchQuery({ ...warehouseStockQuery(product, _id), staleTime: 0 }),
  )
  return (await Promise.all(stocks)).flatMap((skus) => skus ?? [])
}

function agrees(lines: string[], isLost: boolean, texts: (typeof removedTexts)[Language]): Promise<boolean> {
  return new Promise((resolve) => {
    ask({
      title: isLost ? texts.lostTitle : texts.movedTitle,
      children: (
        <Stack gap="xs">
          <List size="sm" spacing="xs">
            {lines.map((line) => (
              <List.Item key={line}>{line}</List.Item>
            ))}
          </List>
          <Text size="sm">{isLost ? texts.lostHint : texts.movedHint}</Text>
        </Stack>
      ),
      labels: isLost
        ? { confirm: texts.remove, cancel: texts.keep }
        : { confirm: texts.move, cancel: texts.back },
      confirmProps: isLost ? { color: 'red' } : {},
      onConfirm: () => resolve(true),
      onClose: () => resolve(false),
    })
  })
}
