import { Problem } from '../../../api/problem.ts'
import { rowsIn } from '../variants/variant-rows.ts'
import type { ProductValues } from './product-values.ts'

/**
 * The same error, with the field of the form whose code belongs to another product. The service says which code it is, in quotes
 * in its sentence, but not where it was sent.
 */
export function withTakenField(error: unknown, values: ProductValues): unknown {
  if (!(error instanceof Problem)) return error
  const codes = CODES[error.code ?? '']?.(values) ?? []
  const field = codes.find(([, code]) => code !== '' && error.message.includes(`"${code}"`))?.[0]
  if (field === undefined) return error
  return Object.assign(error.saying(error.message), { fields: { [field]: error.message } })
}

type Codes = (values: ProductValues) => [field: string, code: string][]
const rowsOf = ({ variants, price }: ProductValues) => rowsIn(variants, price ?? 0)
const CODES: Record<string, Codes> = {
  ITEM_SKU_TAKEN: (values) => [
    ['itemSku', values.itemSku],
    ...rowsOf(values).map(({ sku }, at): [string, string] => [`skus.${at}.sku`, sku]),
  ],
  BARCODE_TAKEN: (values) => [
    ['barcode', values.barcode],
    ...rowsOf(values).map(({ barcode }, at): [string, string] => [`skus.${at}.barcode`, barcode]),
  ],
}
