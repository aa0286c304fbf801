import { Button, Stack, Text } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useCallback } from 'react'
import { Problem } from '../../../api/problem.ts'
import { FormActions } from '../../../components/forms/form-actions.tsx'
import { ImagesField } from '../../../components/forms/images-field.tsx'
import { Card, ProblemNote } from '../../../components/page.tsx'
import { useSession } from '../../../shell/session.tsx'
import { common } from '../../../texts/common.ts'
import { useTexts } from '../../../texts/language.tsx'
import { SubItems } from '../extras/sub-items.tsx'
import type { Product } from '../product-queries.ts'
import type { Opening } from '../stock/opening.ts'
import type { OpeningStock } from '../stock/opening-stock.tsx'
import { productTexts } from '../texts.ts'
import { skuChoices } from '../variants/tier-rows.ts'
import { Tiers } from '../variants/tiers.tsx'
import { countRows, MAX_SKUS, type Made, rowsIn, type VariantRow } from '../variants/variant-rows.ts'
import { Variants } from '../variants/variants.tsx'
import { GeneralFields } from './general-fields.tsx'
import { OutcomeText } from './outcome-text.tsx'
import { problemAt } from './problem-at.ts'
import type { Part } from './product-values.ts'
import { type Outcome, useProductForm } from './use-product-form.ts'

const RowProblem = lazy(async () => ({ default: (await import('../variants/row-problem.tsx')).RowProblem }))

/** The form of a new product, or of the given one, with all its parts and one save. Refusals appear at their fields. */
export function ProductForm(props: {
  product: Product | undefined
  /** Asks for the stock of a new product, which a stored one's screen need not load. */
  Opening?: typeof OpeningStock
  onCreated?: (id: string, failed: { error: unknown; outcome: Outcome } | undefined) => void
}) {
  const texts = useTexts(productTexts)
  const words = useTexts(common)
  const { canWrite } = useSession()
  const { product, Opening } = props
  const { form, note, lists, setList, values, saving, outcome, isUnsure, unsaved } = useProductForm(
    product,
    props.onCreated ?? (() => undefined),
  )
  const { error } = saving
  const submit = form.onSubmit(() => saving.mutate(undefined))
  const { setErrors } = form
  // The fields of lists are named by their places, which a change may move.
  const clearErrors = useCallback(
    (lists: RegExp) =>
      setErrors((now) => {
        const kept = Object.entries(now).filter(([field]) => !lists.test(field))
        return kept.length === Object.keys(now).length ? now : Object.fromEntries(kept)
      }),
    [setErrors],
  )
  const setVariants = useCallback(
    (change: (before: Made) => Made) => {
      setList('variants', change)
      clearErrors(/^(variants|skus)\./)
    },
    [setList, clearErrors],
  )
  const setOpening = useCallback(
    (change: (before: Opening) => Opening) => setList('opening', change),
    [setList],
  )
  const isTooMany = countRows(lists.variants.groups) > MAX_SKUS
  const namesOf = (parts: Part[]) => parts.map((part) => texts.parts[part]).join(', ')

  return (
    <form
      onSubmit={(event) => {
        note(event)
        submit(event)
      }}
    >
      <Stack>
        <GeneralFields form={form} />
        <Card title={texts.images}>
          <ImagesField
            images={lists.images}
            disabled={!canWrite}
            error={problemAt(form.errors, 'images')}
            onChange={(change) => {
              setList('images', change)
              clearErrors(/^images\b/)
            }}
          />
        </Card>
        <Variants
          made={lists.variants}
          images={lists.images}
          priceVnd={values.price ?? 0}
          problems={form.errors}
          onChange={setVariants}
        />
        {Opening !== undefined && canWrite && (
          <Opening made={lists.variants} opening={lists.opening} onChange={setOpening} />
        )}
        <Tiers
          tiers={lists.tiers}
          skus={skuChoices(lists.variants, product, values)}
          problems={form.errors}
          onChange={(change) => setList('tiers', change)}
        />
        <SubItems form={form} />
        {canWrite && (
          <FormActions
            note={
              <>
                {error !== null && (
                  <Refusal error={error} rows={rowsIn(lists.variants, values.price ?? 0)}>
                    {outcome !== undefined && <OutcomeText outcome={outcome} />}
                    {isUnsure && <Text size="sm">{words.unsure}</Text>}
                  </Refusal>
                )}
                {product !== undefined && unsaved.length > 0 && (
                  <Text size="sm" c="dimmed" role="status">
                    {texts.unsaved(namesOf(unsaved))}
                  </Text>
                )}
              </>
            }
          >
            <Button type="submit" loading={saving.isPending} disabled={isTooMany}>
              {product === undefined ? words.create : words.save}
            </Button>
          </FormActions>
        )}
      </Stack>
    </form>
  )
}

/** The names of variants are fetched where the service refuses a field, so that it is there. */
function Refusal(props: { error: unknown; rows: VariantRow[]; children: ReactNode }) {
  const plain = <ProblemNote error={props.error}>{props.children}</ProblemNote>
  if (!(props.error instanceof Problem) || props.error.details.length === 0) return plain
  return (
    <Suspense fallback={plain}>
      <RowProblem {...props} />
    </Suspense>
  )
}
