import type { ReactNode } from 'react'
import classes from './form-actions.module.css'

/** What a long form ends with: in view wherever one is in it. */
export function FormActions({ children }: { children: ReactNode }) {
  return (
    <div className={classes.bar} data-form-actions>
      {children}
    </div>
  )
}
