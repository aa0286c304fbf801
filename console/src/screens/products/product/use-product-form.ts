import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { api } from '../../../api/client.ts'
import { isRefusal } from '../../../api/outcome.ts'
import { dataOf, NotSaved, Problem } from '../../../api/problem.ts'
import { useAction } from '../../../components/actions.tsx'
import type { Known } from '../../../components/concurrent-edits/compare.ts'
import { useEdit } from '../../../components/concurrent-edits/use-edit.ts'
import { keepAt, keptOf, useLeadToError, useTyped } from '../../../components/forms/kept-form.ts'
import { useSentOnce } from '../../../components/forms/sent-once.ts'
import { wordsOf } from '../../../components/rich-text/html-values.ts'
import { formatVnd } from '../../../format.ts'
import { useSession } from '../../../shell/session.tsx'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import {
  categoriesQuery,
  type Product,
  productQuery,
  readProduct,
  warehousesQuery,
} from '../product-queries.ts'
import { NO_OPENING, openingItems, receiveOpening } from '../stock/opening.ts'
import { productTexts } from '../texts.ts'
import { skuChoices } from '../variants/tier-rows.ts'
import { groupTexts, unfinishedGroups } from '../variants/unfinished-groups.ts'
import { rowsIn } from '../variants/variant-rows.ts'
import {
  essence,
  type Part,
  type ProductFields,
  type ProductLists,
  type ProductValues,
  valuesOf,
} from './product-values.ts'
import {
  creationBody,
  fieldsTogether,
  partsChanged,
  partsOfFirstRequest,
  sendParts,
  withIdsOf,
} from './save-product.ts'

const FORM = 'product'

/** The result of an incomplete save: the saved parts, the part whose outcome is unknown, and the others. */
export type Outcome = { saved: Part[]; unsure: Part[]; left: Part[] }

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * The form of a product with all its parts and one save. Each part is saved by its own request, which changes the
 * version that the previous request made. What is saved is not sent again, and input typed meanwhile stays.
 */
export function useProductForm(
  product: Product | undefined,
  onCreated: (id: string, failed: { error: unknown; outcome: Outcome } | undefined) => void,
) {
  const texts = useTexts(productTexts)
  const words = useTexts(groupTexts)
  const { language } = useLanguage()
  const { shop } = useSession()
  const client = useQueryClient()
  const categories = useQuery(categoriesQuery)
  const [start] = useState(() => valuesOf(product))
  const [{ images, variants, tiers, opening, ...first }] = useState(() => ({
    ...start,
    ...keptOf<ProductValues>(FORM),
  }))
  const form = useForm<ProductFields>({ initialValues: first })
  const [lists, setLists] = useState<ProductLists>({ images, variants, tiers, opening })
  const [outcome, setOutcome] = useState<Outcome>()
  const values: ProductValues = { ...form.values, ...lists }
  const current = useRef(values)
  current.current = values
  const typed = useTyped(FORM, values, start)
  const once = useSentOnce<ReturnType<typeof creationBody>>(`product ${shop?._id}`)

  const setList = useCallback(
    <K extends keyof ProductLists>(name: K, change: (before: ProductLists[K]) => ProductLists[K]) =>
      setLists((before) => ({ ...before, [name]: change(before[name]) })),
    [],
  )
  const put = (next: ProductValues) => {
    const { images, variants, tiers, opening, ...fields } = next
    current.current = next
    form.setValues(fields)
    setLists({ images, variants, tiers, opening })
  }
  /** Puts the saved result of `before` into the form, except where the person has typed something else meanwhile. */
  const adopt = (before: ProductValues, after: ProductValues) => {
    const names = Object.keys(after) as (keyof ProductValues)[]
    const changed = names.filter(
      (name) => isSame(current.current[name], before[name]) && !isSame(before[name], after[name]),
    )
    if (changed.length > 0)
      put({ ...current.current, ...Object.fromEntries(changed.map((name) => [name, after[name]])) })
  }

  const nameOf = (made: ProductValues, sku: string) =>
    skuChoices(made.variants, product, made).find(({ value }) => value === sku)?.label ?? ''
  const edit = useEdit<Product, ProductValues>({
    name: FORM,
    record: product,
    valuesOf,
    read: () => readProduct(product!._id),
    put: (next, isSaved) => {
      put(next)
      form.clearErrors()
      if (isSaved) typed.rebase(next)
    },
    labels: { ...texts, categoryId: texts.category, subItemsGroups: texts.parts.subItems },
    show: {
      description: wordsOf,
      categoryId: (id) => categories.data?.find(({ _id }) => _id === id)?.name ?? '',
      variants: (made) =>
        rowsIn(made, current.current.price ?? 0)
          .map(({ name, price, sku }) => `${name}: ${formatVnd(price ?? 0, language)} ${sku}`)
          .join('\n'),
      tiers: (list) =>
        list
          .map(
            ({ sku, minQuantity, price }) =>
              `${nameOf(current.current, sku)}: ${minQuantity} → ${formatVnd(price ?? 0, language)}`,
          )
          .join('\n'),
      subItemsGroups: (list) =>
        list
          .map(
            ({ name, subItems }) =>
              `${name}: ${subItems.map((item) => `${item.name} ${formatVnd(item.price ?? 0, language)}`).join(', ')}`,
          )
          .join('\n'),
    },
    essence,
    parts: fieldsTogether,
  })

  const { note, lead } = useLeadToError('center')
  const refuse = (errors: Record<string, string>) => {
    form.setErrors(errors)
    lead()
  }
  const saving = useAction({
    form: { setErrors: refuse, saved: () => undefined },
    stale: [['products']],
    done: product === undefined ? texts.created : texts.saved,
    quiet: true,
    run: async () => {
      setOutcome(undefined)
      form.clearErrors()
      const unfinished = unfinishedGroups(values.variants.groups, words)
      if (Object.keys(unfinished).length > 0) {
        refuse(unfinished)
        throw new NotSaved()
      }
      try {
        return await (product === undefined ? create() : change())
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 409) throw error
        const { withTakenField } = await import('./taken-code.ts')
        throw withTakenField(error, values)
      }
    },
    onDone: (id) => {
      if (product !== undefined) return
      typed.saved()
      onCreated(id, undefined)
    },
  })

  async function change(): Promise<string> {
    const base = edit.base() ?? start
    const wanted = partsChanged(values, base)
    let given = values
    if (wanted.includes('variants')) {
      const { agreeOnStock } = await import('./stock-question.tsx')
      const answer = await agreeOnStock(product!, values, language)
      given = answer.values
      adopt(values, given)
      if (!answer.isAgreed) throw new NotSaved()
    }
    let sent = given
    try {
      const saved = await edit.save(given, async (mine, _, base, keep) => {
        await sendParts(product!._id, mine, {
          shopId: shop!._id,
          known: { version: edit.version()!, values: base! },
          keep: (known, next) => {
            keep(known, next)
            typed.rebase(known.values)
            adopt(sent, next)
            sent = next
          },
        })
        return readProduct(product!._id)
      })
      typed.rebase(valuesOf(saved))
      adopt(sent, valuesOf(saved))
      client.setQueryData(productQuery(saved._id).queryKey, saved)
      return saved._id
    } catch (error) {
      if (!(error instanceof NotSaved)) setOutcome(outcomeOf(error, wanted, sent, edit.base() ?? start))
      throw error
    }
  }

  async function create(): Promise<string> {
    const body = creationBody(values)
    const { data: made } = await once.send(body, (headers) =>
      dataOf(api.POST('/api/external/v1/products', { body, headers })),
    )
    const wanted = partsChanged(values, valuesOf(undefined))
    let sent = withIdsOf(made, values)
    let known: Known<ProductValues> = { version: made.__v, values: valuesOf(made) }
    try {
      await sendParts(made._id, sent, {
        shopId: shop!._id,
        known,
        keep: (savedSoFar, next) => {
          known = savedSoFar
          sent = next
        },
      })
    } catch (error) {
      // The rest is continued in the form of the product that now exists.
      keepAt(`/products/${made._id}`, FORM, { ...sent, opening: NO_OPENING })
      keepAt(`/products/${made._id}`, `${FORM} known`, known)
      typed.saved()
      onCreated(made._id, { error, outcome: outcomeOf(error, wanted, sent, known.values) })
      throw new NotSaved()
    }
    await receive(made, wanted)
    return made._id
  }

  /** Records the new product's existing stock with a separate entry, because its creation takes no stock (E10). */
  async function receive(made: Pick<Product, '_id' | 'skus'>, wanted: Part[]): Promise<void> {
    const items = openingItems(values.opening, values.variants, made)
    if (items.length === 0) return
    try {
      const places = await client.ensureQueryData(warehousesQuery)
      const place =
        values.opening.warehouseId ?? (places.find(({ isDefault }) => isDefault) ?? places[0])?._id
      await receiveOpening(place ?? '', items, texts.opening)
    } catch (error) {
      const isLeft = isRefusal(error)
      typed.saved()
      onCreated(made._id, {
        error,
        outcome: {
          saved: wanted.filter((part) => part !== 'opening'),
          unsure: isLeft ? [] : ['opening'],
          left: isLeft ? ['opening'] : [],
        },
      })
      throw new NotSaved()
    }
  }

  return {
    form,
    /** Notes the form that is submitted, so that its refused field gets the focus. */
    note,
    lists,
    setList,
    values,
    saving,
    outcome,
    /** A creation was sent and its response never arrived. */
    isUnsure: once.unsure !== undefined,
    unsaved: partsChanged(values, edit.base() ?? start),
  }
}

function outcomeOf(error: unknown, wanted: Part[], values: ProductValues, saved: ProductValues): Outcome {
  const left = partsChanged(values, saved)
  const unsure = isRefusal(error) ? [] : partsOfFirstRequest(left)
  return {
    saved: wanted.filter((part) => !left.includes(part)),
    unsure,
    left: left.filter((part) => !unsure.includes(part)),
  }
}
