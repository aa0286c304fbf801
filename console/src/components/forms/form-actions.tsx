import type { ReactNode } from 'react'
import classes from './form-actions.module.css'

/** The buttons at the end of a long form, visible from everywhere in it. `note` is text beside the buttons. */
export function FormActions({ children, note }: { children: ReactNode; note?: ReactNode }) {
  return (
    <div className={classes.bar} data-form-actions>
      {note !== undefined && <div className={classes.note}>{note}</div>}
      {children}
    </div>
  )
}
