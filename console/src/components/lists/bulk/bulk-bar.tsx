import { Button, Checkbox, Text } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { formatNumber } from '../../../format.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import classes from './bulk.module.css'
import { bulkTexts } from './bulk-texts.ts'
import { MOST_SELECTED, type Selection } from './selection.ts'

/** The actions for the selected rows, visible from everywhere in the list. Shown only while rows are selected. */
export function BulkBar<R>(props: { selection: Selection<R>; rows: readonly R[]; children: ReactNode }) {
  const texts = useTexts(bulkTexts)
  const { language } = useLanguage()
  const { selection, rows } = props
  // What an action shows of a row, such as its price, is what the list shows.
  useEffect(() => selection.refresh(rows), [selection, rows])
  const count = selection.rows.length
  if (count === 0) return null
  const isWhole = rows.every(selection.has)
  return (
    <section className={`${classes.bar} no-print`} aria-label={texts.actions}>
      <Checkbox
        hiddenFrom="sm"
        label={texts.page}
        checked={isWhole}
        onChange={() => selection.toggleAll(rows)}
      />
      <Text size="sm" fw={600} role="status">
        {texts.selected(formatNumber(count, language))}
        {count === MOST_SELECTED && (
          <Text span inherit fw={400}>
            {` · ${texts.most(formatNumber(MOST_SELECTED, language))}`}
          </Text>
        )}
      </Text>
      <div className={classes.actions}>{props.children}</div>
      <Button size="xs" variant="subtle" onClick={selection.clear}>
        {texts.clear}
      </Button>
    </section>
  )
}
