import classes from './legend.module.css'

/** Explains the two bars of a plot. */
export function Legend({ value, before }: { value: string; before: string }) {
  return (
    <div className={classes.legend}>
      <span data-of="value">{value}</span>
      <span data-of="before">{before}</span>
    </div>
  )
}
