import { VisuallyHidden } from '@mantine/core'
import type { CSSProperties, Key, ReactNode } from 'react'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import bulk from './bulk/bulk.module.css'
import { bulkTexts } from './bulk/bulk-texts.ts'
import type { Selection } from './bulk/selection.ts'
import classes from './data-table.module.css'
import { ariaSortOf, SortHeading } from './sorting/sort-controls.tsx'
import type { ColumnSort, Sorting } from './sorting/sorting.ts'

export type Column<R> = {
  /** Required for a column that can be hidden: its name in the person's stored choice. */
  id?: string
  /** Shown only once the person chooses it. */
  isHiddenAtFirst?: boolean
  /** The column's heading; in a card, the label before the value. A cell without one fills the line: the actions of the row. */
  title?: string
  cell: (row: R, at: number) => ReactNode
  isNumber?: boolean
  width?: number
  maxWidth?: number
  /**
   * The height of a cell's content in pixels if it is more than one line. It sets the height of rows that are still
   * loading.
   */
  height?: number
  /**
   * Where a cell that needs no label stands in a card: at the end of the name's line, in a line of its own, or in one
   * line with a `together` beside it.
   */
  inCard?: 'end' | 'line' | 'together'
  /** Present if the list can be sorted by this column. */
  sort?: ColumnSort
}

/** Explicit roles, for screen readers that derive roles from the CSS layout. */
const as = (role: string) => ({ role })

/**
 * A table. On a phone each row is a card named by its first cell, with a line for each other cell that is not empty unless
 * `inCard` says otherwise, so nothing scrolls sideways. Cells are plain elements: Mantine's needed at least half as much
 * scripting again on a long page (docs/benchmarks.md).
 */
export function DataTable<R>(props: {
  columns: Column<R>[]
  rows: readonly R[]
  keyOf: (row: R, at: number) => Key
  /** Each row has a checkbox before its name, and the heading has one for all rows. */
  selection?: Selection<R> | undefined
  /** The order of the rows, which the headings change. */
  sorting?: Sorting | undefined
  /** The name of a table that may be wider than its card and has nothing to focus, so that the keyboard can scroll it. */
  scrolledAs?: string
}) {
  const texts = useTexts(bulkTexts)
  const { actions } = useTexts(common)
  const { columns, rows, keyOf, selection, sorting, scrolledAs } = props
  const scrolled = scrolledAs && { ...as('region'), tabIndex: 0, 'aria-label': scrolledAs }
  return (
    <div className={classes.frame} data-table {...(scrolled || {})}>
      <table {...as('table')} className={classes.table}>
        <thead {...as('rowgroup')}>
          <tr {...as('row')}>
            {columns.map(({ title, isNumber, width, sort }, place) => (
              <th
                {...as('columnheader')}
                key={title ?? place}
                className={isNumber ? 'num' : undefined}
                style={{ width }}
                aria-sort={ariaSortOf(sort, sorting)}
              >
                {place === 0 && selection !== undefined && (
                  <Pick
                    name={texts.page}
                    checked={rows.every(selection.has)}
                    isPartly={rows.some(selection.has)}
                    onChange={() => selection.toggleAll(rows)}
                  />
                )}
                {sort !== undefined && sorting !== undefined ? (
                  <SortHeading sort={sort} sorting={sorting}>
                    {title}
                  </SortHeading>
                ) : (
                  (title ?? <VisuallyHidden>{actions}</VisuallyHidden>)
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...as('rowgroup')}>
          {rows.map((row, at) => (
            <tr {...as('row')} key={keyOf(row, at)} data-selected={selection?.has(row) || undefined}>
              {columns.map((column, place) => (
                <Cell key={column.title ?? place} column={column} content={column.cell(row, at)}>
                  {place === 0 && selection !== undefined && (
                    <Pick
                      name={texts.select(selection.nameOf(row))}
                      checked={selection.has(row)}
                      onChange={() => selection.toggle(row)}
                    />
                  )}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Pick(props: { name: string; checked: boolean; isPartly?: boolean; onChange: () => void }) {
  const { name, checked, isPartly = false, onChange } = props
  return (
    <label className={bulk.pick}>
      <input
        type="checkbox"
        aria-label={name}
        checked={checked}
        ref={(box) => {
          if (box !== null) box.indeterminate = isPartly && !checked
        }}
        onChange={onChange}
      />
    </label>
  )
}

function Cell<R>(props: { column: Column<R>; content: ReactNode; children: ReactNode }) {
  const { column, content, children } = props
  const { title, isNumber, maxWidth, inCard } = column
  return (
    <td
      {...as('cell')}
      className={isNumber ? 'num' : undefined}
      style={maxWidth === undefined ? undefined : ({ '--cell-max': `${maxWidth}px` } as CSSProperties)}
      data-title={title}
      data-in-card={inCard}
      data-empty={isEmpty(content) || undefined}
    >
      {children === false ? (
        <div>{content}</div>
      ) : (
        <div className={bulk.picked}>
          {children}
          <div>{content}</div>
        </div>
      )}
    </td>
  )
}

function isEmpty(content: ReactNode): boolean {
  return content === undefined || content === null || content === false || content === ''
}
