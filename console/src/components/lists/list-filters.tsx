import type { ReactNode } from 'react'
import { type Applied, AppliedFilters } from './applied.tsx'
import classes from './list.module.css'

/** What stands above a list's rows: the fields of the filters, and what is applied. */
export function ListFilters<S>(props: {
  applied: Applied<S>[]
  setList: (change: Partial<S>) => void
  children: ReactNode
}) {
  const { applied, setList, children } = props
  return (
    <>
      <div className={classes.filters}>{children}</div>
      <AppliedFilters filters={applied} setList={setList} />
    </>
  )
}
