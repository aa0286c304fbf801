import { memo, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { formatNumber } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { wrongNumberTexts } from '../forms/wrong-number.ts'
import { type CellChange, wholeOf } from './cells.ts'
import classes from './sheet.module.css'

/** `45.000` may become of it. */
const IS_BEGUN_GROUP = /^\d+[.,]\d{0,2}$/

/**
 * A cell of a sheet. It is not a Mantine field: a sheet has hundreds of cells, and only the one being edited is
 * rendered again. A number is shown in groups of digits while nobody edits it. What was typed and is no number stays in the
 * cell, which says so, and its form is not sent.
 */
export const Cell = memo(function Cell(props: {
  place: string
  rowKey: string
  column: string
  most: number | undefined
  label: string
  value: string
  /** What was typed and is no number. */
  wrong: string | undefined
  error: string | undefined
  disabled: boolean
  onChange: (change: CellChange) => void
}) {
  const { rowKey, column, most, wrong = '' } = props
  // A value that was set meanwhile, such as by another column's button, replaces what was wrong.
  const value = props.value || wrong
  const { language } = useLanguage()
  /** The content when the cell was entered, while it is. */
  const [before, setBefore] = useState<string>()
  const isWritten = before !== undefined
  const errorId = useId()
  const field = useRef<HTMLInputElement>(null)
  // Typing replaces the content. Selected only now, because the digits lose their grouping first.
  useLayoutEffect(() => {
    if (isWritten) field.current?.select()
  }, [isWritten])
  const isNumber = most !== undefined
  const isWrong = isNumber && value !== '' && value === wrong
  const { notWhole, outOfRange } = useTexts(wrongNumberTexts)
  const message = !isWrong
    ? ''
    : wholeOf(wrong, Infinity) === undefined
      ? notWhole
      : outOfRange('0', formatNumber(most, language))
  useEffect(() => field.current?.setCustomValidity(message), [message])
  // More may become of it while it is typed.
  const error =
    props.error ?? ((isWritten && before !== wrong && IS_BEGUN_GROUP.test(wrong) ? '' : message) || undefined)
  const isGrouped = isNumber && !isWritten && !isWrong && value !== ''
  const shown = isGrouped ? formatNumber(Number(value), language) : value
  const report = (text: string) => props.onChange({ key: rowKey, column, value: text })
  return (
    <>
      <input
        ref={field}
        data-cell={props.place}
        className={isNumber ? `${classes.cell} num` : classes.cell}
        aria-label={props.label}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : errorId}
        autoComplete="off"
        inputMode={isNumber ? 'numeric' : undefined}
        maxLength={isNumber ? 24 : 200}
        disabled={props.disabled}
        value={shown}
        onFocus={() => setBefore(value)}
        onBlur={() => setBefore(undefined)}
        onChange={(event) => report(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && before !== undefined) report(before)
        }}
      />
      {error !== undefined && (
        <div id={errorId} className={classes.error}>
          {error}
        </div>
      )}
    </>
  )
})
