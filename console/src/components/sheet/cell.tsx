import { memo, useId, useLayoutEffect, useRef, useState } from 'react'
import { formatNumber } from '../../format.ts'
import { useLanguage } from '../../texts/language.tsx'
import { type CellChange, digitsOf } from './cells.ts'
import classes from './sheet.module.css'

/**
 * A cell of a sheet. It is not a Mantine field: a sheet has hundreds of cells, and only the one being edited is
 * rendered again. Money is shown in groups of digits while nobody edits it.
 */
export const Cell = memo(function Cell(props: {
  place: string
  rowKey: string
  column: string
  kind: 'text' | 'money'
  label: string
  value: string
  error: string | undefined
  disabled: boolean
  onChange: (change: CellChange) => void
}) {
  const { rowKey, column, kind, value, error } = props
  const { language } = useLanguage()
  const [isWritten, setWritten] = useState(false)
  const before = useRef(value)
  const errorId = useId()
  const field = useRef<HTMLInputElement>(null)
  // Typing replaces the content. Selected only now, because the digits lose their grouping first.
  useLayoutEffect(() => {
    if (isWritten) field.current?.select()
  }, [isWritten])
  const isMoney = kind === 'money'
  const shown = isMoney && !isWritten && value !== '' ? formatNumber(Number(value), language) : value
  const report = (text: string) => props.onChange({ key: rowKey, column, value: text })
  return (
    <>
      <input
        ref={field}
        data-cell={props.place}
        className={isMoney ? `${classes.cell} num` : classes.cell}
        aria-label={props.label}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : errorId}
        autoComplete="off"
        inputMode={isMoney ? 'numeric' : undefined}
        maxLength={isMoney ? 17 : 200}
        disabled={props.disabled}
        value={shown}
        onFocus={() => {
          before.current = value
          setWritten(true)
        }}
        onBlur={() => setWritten(false)}
        onChange={(event) => {
          const text = event.currentTarget.value
          report(isMoney ? digitsOf(text) : text)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') report(before.current)
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
