import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import classes from './figure.module.css'

/** One number that a page begins with; `hints` say what to compare it with. With `to` it opens the list behind it. */
export function Figure({
  label,
  value,
  hints,
  to,
}: {
  label: string
  value: string
  hints: string[]
  to?: string
}) {
  const shown: ReactNode = (
    <>
      <div className={classes.label}>{label}</div>
      <div className={classes.value}>{value}</div>
      <div className={classes.hint}>
        {hints.map((hint) => (
          <span key={hint}>{hint}</span>
        ))}
      </div>
    </>
  )
  return to === undefined ? (
    <div className={classes.figure}>{shown}</div>
  ) : (
    <Link to={to} className={classes.figure}>
      {shown}
    </Link>
  )
}
