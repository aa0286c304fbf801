import { invalidField } from '../../../errors.ts'
import { isObjectId, type ObjectId } from '../../../lib/object-id.ts'
import {
  assertImages,
  codesOf,
  defaultSku,
  MOST_IMAGE_CHARACTERS,
  type NewGroup,
  type NewSku,
  type ProductCode,
  picksOf,
  type SentProduct,
  type SentSku,
  type SentVariant,
} from '../rules.ts'

/** The body of `PUT …/variants`. The `id` of a group or option may be ours; the `_id` of a SKU always is. */
export type SentVariants = {
  variants: SentVariant[]
  skus: (SentSku & { _id?: string; images?: string[] })[]
}

type KnownOption = { id: ObjectId; name: string }
export type KnownGroup = { id: ObjectId; name: string; options: KnownOption[] }
export type KnownSku = {
  id: ObjectId
  name: string
  optionIds: ObjectId[]
  isDefault: boolean
  /** Nothing except the product itself refers to it, and no other transaction can add a reference. */
  isDeletable: boolean
}

/** The product's current parts, active or not. Among equal ones the active one comes first. */
export type KnownVariants = { groups: KnownGroup[]; skus: KnownSku[] }

/**
 * The ids of parts that the product loses: `hidden` ones stay for the orders that show them, `deleted` ones are
 * removed.
 */
type Leaving = { hidden: ObjectId[]; deleted: ObjectId[] }

export type VariantPlan = {
  /** All parts of the product after the change; a part with a known id is kept and updated. */
  groups: NewGroup[]
  skus: NewSku[]
  newSkuIds: ObjectId[]
  codes: ProductCode[]
  leaving: { groups: Leaving; options: Leaving; skus: Leaving }
}

/**
 * How a product's groups, options and SKUs become those of the body (G-37).
 *
 * A sent group or option refers to the known one with its `id`, or else to one of the same name (an option: in its
 * group). A sent SKU refers to the known one with its `_id`, or else to the one with the same options, or, without
 * options, to the one of the same name. This is how retired parts come back. All other known parts are removed: a SKU
 * is deleted if nothing refers to it and hidden (retired) otherwise; an option or group is hidden while a retired SKU
 * names it. Without `skus` the product has its default SKU, the one it had before or a new one.
 * @throws ValidationError as E10's (G-31), for too long images, and for an `_id` that is no SKU of the product or is sent twice.
 */
export function planVariants(
  product: SentProduct,
  sent: SentVariants,
  known: KnownVariants,
  nextId: () => ObjectId,
): VariantPlan {
  for (const [at, { images }] of sent.skus.entries()) {
    assertImages(images, MOST_IMAGE_CHARACTERS.sku, ['skus', at, 'images'])
  }
  const groups = planGroups(sent.variants, known.groups, nextId)
  const picks = picksOf(sent.variants, groups, sent.skus).map((picked) => picked.map((option) => option.id))
  const kept = claimSkus(sent.skus, picks, known.skus)
  const skus: NewSku[] = sent.skus.map((sku, position) => ({
    id: kept[position]?.id ?? nextId(),
    name: sku.name,
    price: sku.price,
    origin_price: sku.originPrice ?? null,
    code: sku.sku ?? '',
    barcode: sku.barcode ?? '',
    ...(sku.images !== undefined && { images: sku.images }),
    variant_option_ids: picks[position]!,
    position,
    is_default: false,
  }))
  if (skus.length === 0) {
    skus.push(defaultSku(product, known.skus.find((sku) => sku.isDefault)?.id ?? nextId()))
  }
  const knownIds = new Set(known.skus.map((sku) => sku.id))
  return {
    groups,
    skus,
    newSkuIds: skus.map((sku) => sku.id).filter((id) => !knownIds.has(id)),
    codes: codesOf(product, skus),
    leaving: leavingOf(known, groups, skus),
  }
}

function planGroups(variants: SentVariant[], known: KnownGroup[], nextId: () => ObjectId): NewGroup[] {
  const kept = claim(variants, known)
  return variants.map((variant, position) => {
    const sent = variant.options.map((option) => ({ id: option.id, name: option.value }))
    const keptOptions = claim(sent, kept[position]?.options ?? [])
    return {
      id: kept[position]?.id ?? nextId(),
      name: variant.name,
      position,
      options: sent.map((option, at) => ({
        id: keptOptions[at]?.id ?? nextId(),
        name: option.name,
        position: at,
      })),
    }
  })
}

/**
 * The known record that each of `sent` refers to: matched by id first, then by name. Each known record is used at most
 * once.
 */
function claim<Known extends { id: ObjectId; name: string }>(
  sent: { id: string; name: string }[],
  known: Known[],
): (Known | undefined)[] {
  const left = new Set(known)
  const byId = sent.map(({ id }) => take(left, (one) => one.id === id.toLowerCase()))
  return sent.map(({ name }, at) => byId[at] ?? take(left, (one) => one.name === name))
}

function claimSkus(
  sent: SentVariants['skus'],
  picks: ObjectId[][],
  known: KnownSku[],
): (KnownSku | undefined)[] {
  const left = new Set(known)
  const byId = sent.map(({ _id }, at) => {
    if (_id === undefined) return undefined
    const path = ['skus', at, '_id']
    const id = isObjectId(_id) ? _id.toLowerCase() : undefined
    const found = take(left, (sku) => sku.id === id)
    if (found !== undefined) return found
    const isTwice = known.some((sku) => sku.id === id)
    throw isTwice ? invalidField(path, 'sku.idTwice') : invalidField(path, 'product.unknown', { kind: 'SKU' })
  })
  const combination = (ids: ObjectId[]) => ids.toSorted().join()
  return sent.map(({ _id, name }, at) => {
    if (_id !== undefined) return byId[at]
    const wanted = combination(picks[at]!)
    return take(left, (sku) => combination(sku.optionIds) === wanted && (wanted !== '' || sku.name === name))
  })
}

function take<One>(left: Set<One>, fits: (one: One) => boolean): One | undefined {
  for (const one of left) {
    if (!fits(one)) continue
    left.delete(one)
    return one
  }
  return undefined
}

function leavingOf(known: KnownVariants, groups: NewGroup[], skus: NewSku[]): VariantPlan['leaving'] {
  const stays = new Set(skus.map((sku) => sku.id))
  const leavingSkus = known.skus.filter((sku) => !stays.has(sku.id))
  const skuLeaving = part(leavingSkus, (sku) => !sku.isDeletable)
  const named = new Set(leavingSkus.filter((sku) => !sku.isDeletable).flatMap((sku) => sku.optionIds))

  const stayingOptions = new Set(groups.flatMap((group) => group.options.map((option) => option.id)))
  const knownOptions = known.groups.flatMap((group) => group.options)
  const leavingOptions = knownOptions.filter((option) => !stayingOptions.has(option.id))

  const stayingGroups = new Set(groups.map((group) => group.id))
  const leavingGroups = known.groups.filter((group) => !stayingGroups.has(group.id))
  return {
    skus: skuLeaving,
    options: part(leavingOptions, (option) => named.has(option.id)),
    groups: part(leavingGroups, (group) => group.options.some((option) => named.has(option.id))),
  }
}

function part<One extends { id: ObjectId }>(all: One[], isHidden: (one: One) => boolean): Leaving {
  return {
    hidden: all.filter((one) => isHidden(one)).map((one) => one.id),
    deleted: all.filter((one) => !isHidden(one)).map((one) => one.id),
  }
}
