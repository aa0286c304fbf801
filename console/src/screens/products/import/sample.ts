import { writeCsv } from '../../../csv.ts'
import type { Language } from '../../../texts/catalogue.ts'
import type { Category } from '../product-queries.ts'
import type { Field } from './columns.ts'
import { importTexts } from './import-texts.ts'

const COLUMNS = [
  'name',
  'price',
  'itemSku',
  'barcode',
  'category',
  'openingStock',
  'unitCost',
  'vat',
  'description',
] as const satisfies Field[]
const OF_LANGUAGE = {
  vi: { separator: ';', price: '145.000', cost: '90.000' },
  en: { separator: ',', price: '145000', cost: '90000' },
}

/**
 * A file with two products that an import accepts as it is, with the separator that spreadsheets expect in the language.
 * The category is one of the shop's, because an import creates none.
 */
export function sampleFile(language: Language, categories: Category[]): File {
  const { fields, sampleName, sampleRows } = importTexts[language]
  const { separator, price, cost } = OF_LANGUAGE[language]
  // The signs have a meaning in the path of a category.
  const category =
    categories.find(({ parentId, name }) => parentId === null && !/[>\\]/.test(name))?.name ?? ''
  const products: Record<(typeof COLUMNS)[number], string>[] = [
    {
      ...sampleRows.first,
      price,
      itemSku: 'MAU-01',
      barcode: '8930000000019',
      category,
      openingStock: '24',
      unitCost: cost,
      vat: '8',
    },
    {
      ...sampleRows.second,
      price: '320000',
      itemSku: 'MAU-02',
      barcode: '8930000000026',
      category,
      openingStock: '10',
      unitCost: '210000',
      vat: '8',
    },
  ]
  const rows = products.map((product) => COLUMNS.map((column) => product[column]))
  const text = writeCsv([COLUMNS.map((column) => fields[column]), ...rows], separator)
  return new File([text], sampleName, { type: 'text/csv' })
}
