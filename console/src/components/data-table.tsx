import { Table, type TableTrProps } from '@mantine/core'
import type { Key, ReactNode } from 'react'
import classes from './data-table.module.css'

export type Column<R> = {
  /** The head; in a card the words before the value. Without one the cell has the line to itself. */
  title?: string
  cell: (row: R, at: number) => ReactNode
  isNumber?: boolean
  width?: number
  maxWidth?: number
}

/**
 * Rows under heads. On a phone each row is a card that its first cell names, with a line for each other cell that is
 * not empty; nothing scrolls sideways there. The roles say what CSS takes from the elements by laying them out so.
 */
export function DataTable<R>(props: {
  columns: Column<R>[]
  rows: readonly R[]
  keyOf: (row: R, at: number) => Key
  rowProps?: (row: R, at: number) => TableTrProps
}) {
  const { columns, rows, keyOf, rowProps } = props
  return (
    <div className={classes.frame}>
      <Table role="table" className={classes.table}>
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {columns.map(({ title, isNumber, width }, place) => (
              <Table.Th
                key={title ?? place}
                role="columnheader"
                className={isNumber ? 'num' : undefined}
                w={width}
              >
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {rows.map((row, at) => (
            <Table.Tr key={keyOf(row, at)} role="row" {...rowProps?.(row, at)}>
              {columns.map(({ title, cell, isNumber, maxWidth }, place) => {
                const content = cell(row, at)
                return (
                  <Table.Td
                    key={title ?? place}
                    role="cell"
                    className={isNumber ? 'num' : undefined}
                    __vars={{ '--cell-max': maxWidth === undefined ? undefined : `${maxWidth}px` }}
                    data-title={title}
                    data-empty={isEmpty(content) || undefined}
                  >
                    <div>{content}</div>
                  </Table.Td>
                )
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

function isEmpty(content: ReactNode): boolean {
  return content === undefined || content === null || content === false || content === ''
}
