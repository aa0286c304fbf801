import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { type Column, DataTable } from './data-table.tsx'
import classes from './list.module.css'

/**
 * A list while its first rows are loading: as many lines as rows are expected, each as high as a row, under the same
 * headings.
 */
export function LoadingRows<R>({ columns, count }: { columns: Column<R>[]; count: number }) {
  const { loading } = useTexts(common)
  const lines = columns.map(
    ({ sort: _, ...column }): Column<number> => ({
      ...column,
      cell: () => <span className={classes.bar} style={{ height: column.height }} />,
    }),
  )
  return (
    <div role="status" aria-label={loading}>
      <div aria-hidden>
        <DataTable columns={lines} rows={Array.from({ length: count }, (_, at) => at)} keyOf={(at) => at} />
      </div>
    </div>
  )
}
