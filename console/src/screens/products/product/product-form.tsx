import { Button, Stack, Text } from '@mantine/core'
import { useCallback, useEffect, useRef } from 'react'
import { FormActions } from '../../../components/forms/form-actions.tsx'
import { ImagesField } from '../../../components/forms/images-field.tsx'
import { Card, ProblemNote } from '../../../components/page.tsx'
import { useSession } from '../../../shell/session.tsx'
import { common } from '../../../texts/common.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { SubItems } from '../extras/sub-items.tsx'
import type { Product } from '../product-queries.ts'
import type { Opening } from '../stock/opening.ts'
import { OpeningStock } from '../stock/opening-stock.tsx'
import { productTexts } from '../texts.ts'
import { inRowNames } from '../variants/name-rows.ts'
import { skuChoices } from '../variants/tier-rows.ts'
import { Tiers } from '../variants/tiers.tsx'
import { countRows, MAX_SKUS, type Made, rowsIn } from '../variants/variant-rows.ts'
import { Variants } from '../variants/variants.tsx'
import { GeneralFields } from './general-fields.tsx'
import { OutcomeText } from './outcome-text.tsx'
import type { Part } from './product-values.ts'
import { type Outcome, useProductForm } from './use-product-form.ts'

/** The form of a new product, or of the given one, with all its parts and one save. Refusals are shown at their fields. */
export function ProductForm(props: {
  product: Product | undefined
  onCreated?: (id: string, failed: { error: unknown; outcome: Outcome } | undefined) => void
}) {
  const texts = useTexts(productTexts)
  const words = useTexts(common)
  const { canWrite } = useSession()
  const { product } = props
  const { form, lists, setList, values, saving, outcome, isUnsure, unsaved } = useProductForm(
    product,
    props.onCreated ?? (() => undefined),
  )
  const element = useRef<HTMLFormElement>(null)
  const { language } = useLanguage()
  const { error } = saving
  useEffect(() => {
    if (error === null) return
    const field = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    field?.scrollIntoView({ block: 'center' })
  }, [error])
  const setVariants = useCallback((change: (before: Made) => Made) => setList('variants', change), [setList])
  const setOpening = useCallback(
    (change: (before: Opening) => Opening) => setList('opening', change),
    [setList],
  )
  const isTooMany = countRows(lists.variants.groups) > MAX_SKUS
  const shown =
    error !== null && inRowNames(error, rowsIn(lists.variants, values.price ?? 0), texts.sameCode, language)
  const namesOf = (parts: Part[]) => parts.map((part) => texts.parts[part]).join(', ')

  return (
    <form ref={element} onSubmit={form.onSubmit(() => saving.mutate(undefined))}>
      <Stack>
        <GeneralFields form={form} />
        <Card title={texts.images}>
          <ImagesField
            images={lists.images}
            disabled={!canWrite}
            error={form.errors.images as string | undefined}
            onChange={(change) => setList('images', change)}
          />
        </Card>
        <Variants
          made={lists.variants}
          images={lists.images}
          priceVnd={values.price ?? 0}
          problems={form.errors}
          onChange={setVariants}
        />
        {product === undefined && canWrite && (
          <OpeningStock made={lists.variants} opening={lists.opening} onChange={setOpening} />
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
                  <ProblemNote error={shown}>
                    {outcome !== undefined && <OutcomeText outcome={outcome} />}
                    {isUnsure && <Text size="sm">{words.unsure}</Text>}
                  </ProblemNote>
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
