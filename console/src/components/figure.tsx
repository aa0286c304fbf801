import { Fragment } from 'react'
import classes from './figure.module.css'

/** One number that a page begins with; `hints` say what to compare it with. */
export function Figure({ label, value, hints }: { label: string; value: string; hints: string[] }) {
  return (
    <div className={classes.figure}>
      <div className={classes.label}>{label}</div>
      <div className={classes.value}>{value}</div>
      <div className={classes.hint}>
        {hints.map((hint, at) => (
          <Fragment key={hint}>
            {at > 0 && ' · '}
            <span>{hint}</span>
          </Fragment>
        ))}
      </div>
    </div>
  )
}
