import type { ReactNode } from 'react'
import { type Applied, AppliedFilters } from './applied.tsx'
import classes from './list.module.css'
import { ViewChips, ViewsButton } from './views/views.tsx'

/**
 * What stands above a list's rows: the views that the person saved, the fields of the filters, and what is applied. `name` is
 * the list's, under which views are kept; a list without one keeps none.
 */
export function ListFilters<S>(props: {
  name?: string
  applied: Applied<S>[]
  setList: (change: Partial<S>) => void
  children: ReactNode
}) {
  const { name, applied, setList, children } = props
  return (
    <>
      {name !== undefined && <ViewChips list={name} />}
      <div className={classes.filters}>
        <div>{children}</div>
        {name !== undefined && <ViewsButton list={name} />}
      </div>
      <AppliedFilters filters={applied} setList={setList} />
    </>
  )
}
