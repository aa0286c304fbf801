import { Text } from '@mantine/core'
import { useTexts } from '../../../texts/language.tsx'
import { productTexts } from '../texts.ts'
import type { Part } from './product-values.ts'
import type { Outcome } from './use-product-form.ts'

/** What an incomplete save has saved, and what not. */
export function OutcomeText({ outcome: { saved, unsure, left } }: { outcome: Outcome }) {
  const texts = useTexts(productTexts)
  // The opening stock is then recorded by an entry on the page of the new product.
  const isOfStock = [...unsure, ...left].includes('opening')
  const namesOf = (parts: Part[]) => parts.map((part) => texts.parts[part]).join(', ')
  return (
    <>
      {saved.length > 0 && <Text size="sm">{texts.outcome.saved(namesOf(saved))}</Text>}
      {unsure.length > 0 && <Text size="sm">{texts.outcome.unsure(namesOf(unsure))}</Text>}
      {left.length > 0 && <Text size="sm">{texts.outcome.left(namesOf(left))}</Text>}
      {saved.length + unsure.length > 0 && (
        <Text size="sm">{isOfStock ? texts.outcome.stock : texts.outcome.again}</Text>
      )}
    </>
  )
}
