import { Button, Group, Text } from '@mantine/core'
import { IconArrowBarDown } from '@tabler/icons-react'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { pastedAmount } from '../forms/amount.ts'
import { type Column, DataTable } from '../lists/data-table.tsx'
import { Cell } from './cell.tsx'
import { type CellChange, cellsOf, wholeOf } from './cells.ts'
import type { SheetProps } from './sheet-props.ts'

/**
 * A table of cells, edited like a spreadsheet: Enter and the arrows go from row to row, Ctrl+D copies a cell to all
 * rows below, a block of cells is pasted from the caret's cell on, Escape restores a cell. `before` are columns
 * without editable text.
 */
export function LoadedSheet<R>(props: SheetProps<R>) {
  const { rows, keyOf, columns, disabled, texts } = props
  const frame = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState<{ at: number; column: string }>()
  /** What was typed and is no number, by cell. */
  const [wrong, setWrong] = useState<ReadonlyMap<string, string>>(new Map())
  /** Reports what was written into cells. */
  const write = (written: CellChange[]) => {
    const nowWrong = new Map(wrong)
    const changes = written.map((change) => {
      const { most } = columns.find(({ name }) => name === change.column)!
      nowWrong.delete(placeKey(change))
      if (most === undefined || change.value === '') return change
      const whole = wholeOf(change.value, most)
      if (whole === undefined) nowWrong.set(placeKey(change), change.value)
      return { ...change, value: whole ?? '' }
    })
    setWrong(nowWrong)
    props.onChange(changes)
  }
  const latest = useRef(write)
  useEffect(() => {
    latest.current = write
  })

  const focus = (at: number, column: string) => {
    frame.current?.querySelector<HTMLInputElement>(`[data-cell="${at} ${column}"]`)?.focus()
  }
  const fillDown = ({ at, column }: { at: number; column: string }) => {
    const { value } = columns.find(({ name }) => name === column)!
    const below = rows.slice(at + 1)
    const from = rows[at]!
    const copied = value(from) || (wrong.get(placeKey({ key: keyOf(from), column })) ?? '')
    if (below.length > 0) write(below.map((row) => ({ key: keyOf(row), column, value: copied })))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const place = placeOf(event.target)
    if (place === undefined) return
    const { at, column } = place
    const isDown = event.key === 'ArrowDown' || (event.key === 'Enter' && !event.shiftKey)
    const isUp = event.key === 'ArrowUp' || (event.key === 'Enter' && event.shiftKey)
    const isFill = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'd'
    if (!isDown && !isUp && !isFill) return
    // Enter must not submit the form from here.
    event.preventDefault()
    if (isFill) fillDown(place)
    else focus(at + (isDown ? 1 : -1), column)
  }
  const onPaste = (event: ClipboardEvent) => {
    const place = placeOf(event.target)
    const cells = cellsOf(event.clipboardData.getData('text'))
    if (place === undefined) return
    const first = columns.findIndex(({ name }) => name === place.column)
    const isOne = cells.length === 1 && cells[0]!.length === 1
    // Another text is inserted at the caret.
    if (isOne && (columns[first]!.most === undefined || pastedAmount(cells[0]![0]!) === undefined)) return
    event.preventDefault()
    write(
      cells.flatMap((line, down) =>
        line.flatMap((value, right) => {
          const [row, column] = [rows[place.at + down], columns[first + right]]
          return row === undefined || column === undefined
            ? []
            : [
                {
                  key: keyOf(row),
                  column: column.name,
                  value: (column.most !== undefined && pastedAmount(value)) || value,
                },
              ]
        }),
      ),
    )
  }
  const [setCell] = useState(() => (change: CellChange) => latest.current([change]))

  return (
    <div ref={frame}>
      {!disabled && (
        <Group gap="xs" mb="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconArrowBarDown size={14} aria-hidden />}
            disabled={chosen === undefined || chosen.at >= rows.length - 1}
            title={texts.fillDownHint}
            // Keeps the caret in the cell.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => chosen !== undefined && fillDown(chosen)}
          >
            {texts.fillDown}
          </Button>
          {props.actions}
          <Text size="xs" c="dimmed" visibleFrom="sm">
            {texts.hint}
          </Text>
        </Group>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: handles what its cells do not */}
      <div
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onFocus={({ target }) => {
          const place = placeOf(target)
          if (place !== undefined) setChosen(place)
        }}
      >
        <DataTable
          rows={rows}
          keyOf={(row) => keyOf(row)}
          columns={[
            ...props.before,
            ...columns.map(
              ({ name, title, most, label, value }): Column<R> => ({
                title,
                cell: (row, at) => (
                  <Cell
                    place={`${at} ${name}`}
                    rowKey={keyOf(row)}
                    column={name}
                    most={most}
                    label={label(row)}
                    value={value(row)}
                    wrong={wrong.get(placeKey({ key: keyOf(row), column: name }))}
                    error={props.errorAt(at, name)}
                    disabled={disabled}
                    onChange={setCell}
                  />
                ),
              }),
            ),
          ]}
        />
      </div>
    </div>
  )
}

const placeKey = ({ key, column }: { key: string; column: string }) => `${column} ${key}`

function placeOf(target: EventTarget): { at: number; column: string } | undefined {
  const [at, column] = (target instanceof HTMLElement ? target.dataset.cell : undefined)?.split(' ') ?? []
  return at === undefined || column === undefined ? undefined : { at: Number(at), column }
}
