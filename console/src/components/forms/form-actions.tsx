import type { ReactNode } from 'react'
import classes from './form-actions.module.css'

/** What a long form ends with: in view wherever one is in it. `note`: what is to be said beside its buttons. */
export function FormActions({ children, note }: { children: ReactNode; note?: ReactNode }) {
  return (
    <div className={classes.bar} data-form-actions>
      {note !== undefined && <div className={classes.note}>{note}</div>}
      {children}
    </div>
  )
}
