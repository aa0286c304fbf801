import type { ReactNode } from 'react'
import { type Applied, AppliedFilters } from './applied.tsx'
import classes from './list.module.css'
import type { ViewedList } from './views/saved-views.ts'
import { ViewChips, ViewsButton } from './views/views.tsx'

/**
 * The area above a list's rows: the person's saved views, the filter fields, and the applied filters. `name` is the
 * list's name, under which views are stored; a list without one has no views.
 */
export function ListFilters<S>(props: {
  name?: ViewedList
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
