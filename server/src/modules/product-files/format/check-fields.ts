import { Type } from 'typebox'
import { invalidField } from '../../../errors.ts'
import { compileValidator } from '../../../http/validation/validate.ts'
import { createProductBody, name, newSku, newVariant, updateProductBody } from '../../products/schema.ts'
import type { SentVariants } from '../../products/variants/rules.ts'
import type { WantedProduct } from './wanted-product.ts'

const {
  name: productName,
  price,
  description,
  originPrice,
  status,
  vat,
  images,
  itemSku,
  barcode,
} = createProductBody.properties
const { id: _id, ...variant } = newVariant.properties
const { variantOptionIds: _ids, ...sku } = newSku.properties

/** The product fields that a file can set, by the rules of E10 and E11. Ids are not checked: they are ours. */
const wantedFields = Type.Object({
  name: productName,
  price,
  description,
  originPrice,
  status,
  vat,
  images,
  itemSku,
  barcode,
  slug: updateProductBody.properties.slug,
  aliasName: updateProductBody.properties.aliasName,
  skus: Type.Array(Type.Object(sku), { maxItems: 200 }),
  variants: Type.Array(
    Type.Object({
      ...variant,
      options: Type.Array(Type.Object({ value: name }), { minItems: 1, maxItems: 200 }),
    }),
    { maxItems: 20 },
  ),
})

const validate = compileValidator(wantedFields, 'body')

/**
 * Checks a product's fields by the rules of E10 and E11. @throws ValidationError with the path that E10's body would
 * have.
 */
export function checkFields(wanted: WantedProduct, { variants, skus }: SentVariants): void {
  const { slug, originPrice: original, skus: _skus, category: _category, ...fields } = wanted
  if (!Array.isArray(fields.images)) throw invalidField(['images'], 'array.base')
  const checked = validate({
    ...defined(fields),
    ...(slug === undefined ? {} : { slug }),
    ...(original === null ? {} : { originPrice: original }),
    skus: skus.map(({ _id: _own, variantOptionIds: _options, ...one }) => defined(one)),
    variants: variants.map((group) => ({
      name: group.name,
      options: group.options.map(({ value }) => ({ value })),
    })),
  })
  if ('error' in checked) throw checked.error
}

/** Removes undefined fields: validation reports a field that is present but has no value as a different problem. */
function defined(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
