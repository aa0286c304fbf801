import type { ComponentProps, CSSProperties, Key, ReactNode } from 'react'
import classes from './data-table.module.css'

export type Column<R> = {
  /** The column's heading; in a card, the label before the value. Without one the cell fills the line. */
  title?: string
  cell: (row: R, at: number) => ReactNode
  isNumber?: boolean
  width?: number
  maxWidth?: number
}

/** The elements' roles, for screen readers that derive them from the CSS layout. */
const as = (role: string) => ({ role })

/**
 * A table. On a phone each row is a card named by its first cell, with a line for each other cell that is not empty;
 * nothing scrolls sideways there. Cells are plain elements: Mantine's needed at least half as much scripting again on a
 * long page (docs/benchmarks.md).
 */
export function DataTable<R>(props: {
  columns: Column<R>[]
  rows: readonly R[]
  keyOf: (row: R, at: number) => Key
  rowProps?: (row: R, at: number) => ComponentProps<'tr'>
}) {
  const { columns, rows, keyOf, rowProps } = props
  return (
    <div className={classes.frame} data-table>
      <table {...as('table')} className={classes.table}>
        <thead {...as('rowgroup')}>
          <tr {...as('row')}>
            {columns.map(({ title, isNumber, width }, place) => (
              <th
                {...as('columnheader')}
                key={title ?? place}
                className={isNumber ? 'num' : undefined}
                style={{ width }}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...as('rowgroup')}>
          {rows.map((row, at) => (
            <tr {...as('row')} key={keyOf(row, at)} {...rowProps?.(row, at)}>
              {columns.map((column, place) => (
                <Cell key={column.title ?? place} column={column} content={column.cell(row, at)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cell<R>({ column, content }: { column: Column<R>; content: ReactNode }) {
  const { title, isNumber, maxWidth } = column
  return (
    <td
      {...as('cell')}
      className={isNumber ? 'num' : undefined}
      style={maxWidth === undefined ? undefined : ({ '--cell-max': `${maxWidth}px` } as CSSProperties)}
      data-title={title}
      data-empty={isEmpty(content) || undefined}
    >
      <div>{content}</div>
    </td>
  )
}

function isEmpty(content: ReactNode): boolean {
  return content === undefined || content === null || content === false || content === ''
}
