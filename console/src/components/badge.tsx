import type { ReactNode } from 'react'
import classes from './badge.module.css'

/** `good` done, `bad` wrong, `warn` waits for somebody, `busy` in progress, `quiet` over or of no concern. */
export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'quiet'

/** The state of a record. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {children}
    </span>
  )
}
