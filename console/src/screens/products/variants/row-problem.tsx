import type { ReactNode } from 'react'
import { ProblemNote } from '../../../components/page.tsx'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { productTexts } from '../texts.ts'
import { withVariantNames } from './name-rows.ts'
import type { VariantRow } from './variant-rows.ts'

/** A refusal in which variants are called by their options. */
export function RowProblem(props: { error: unknown; rows: VariantRow[]; children: ReactNode }) {
  const texts = useTexts(productTexts)
  const { language } = useLanguage()
  return (
    <ProblemNote error={withVariantNames(props.error, props.rows, texts.sameCode, language)}>
      {props.children}
    </ProblemNote>
  )
}
