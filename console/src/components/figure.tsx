import { Link } from '@tanstack/react-router'
import type { Term } from '../help/term-texts.ts'
import { WhatsThis } from '../help/whats-this.tsx'
import classes from './figure.module.css'

/** A comparison for a number. With `to` it links to the list behind it. */
export type Hint = string | { text: string; to?: string; tone?: 'good' | 'bad' }

/**
 * One of the numbers at the top of a page. `hints` compare it with others; with `to` it links to its list; `term`
 * explains it.
 */
export function Figure({
  label,
  value,
  hints,
  to,
  term,
}: {
  label: string
  value: string
  hints: Hint[]
  to?: string
  term?: Term
}) {
  const shown = (
    <>
      <span className={classes.label}>{label}</span>
      <span className={classes.value}>{value}</span>
    </>
  )
  return (
    <div className={classes.figure} data-link={to !== undefined || undefined}>
      {to === undefined ? (
        <div className={classes.main}>{shown}</div>
      ) : (
        <Link to={to} className={classes.main}>
          {shown}
        </Link>
      )}
      {term !== undefined && (
        <div className={classes.help}>
          <WhatsThis term={term} of={label} />
        </div>
      )}
      <div className={classes.hint}>
        {hints.map((hint) => (
          <HintText key={keyOf(hint)} hint={hint} />
        ))}
      </div>
    </div>
  )
}

/** Its list: two hints may have the same text, such as two sums of nothing. */
function keyOf(hint: Hint): string {
  return typeof hint === 'string' ? hint : (hint.to ?? hint.text)
}

function HintText({ hint }: { hint: Hint }) {
  if (typeof hint === 'string') return <span>{hint}</span>
  const { text, to, tone } = hint
  return to === undefined ? (
    <span data-tone={tone}>{text}</span>
  ) : (
    <Link to={to} data-tone={tone}>
      {text}
    </Link>
  )
}
