import { Link } from '@tanstack/react-router'
import classes from './bar-plot.module.css'
import { roundUp } from './round-up.ts'

/** `key` is shown under the bar; `name` describes the bar fully in words. `before` is drawn behind it for comparison. */
export type Bar = { key: string; name: string; value: number; before?: number; to?: string }

/** At most this many bars have their key under them. */
const MOST_KEYS = 8

/**
 * Bars over time, each a link to the records that it counts. Drawn without a plot library, which would be larger than
 * the rest of the screen.
 */
export function BarPlot({
  bars,
  label,
  formatAxis,
}: {
  bars: Bar[]
  label: string
  formatAxis: (value: number) => string
}) {
  const most = roundUp(Math.max(0, ...bars.map(({ value, before = 0 }) => Math.max(value, before))))
  const step = Math.ceil(bars.length / MOST_KEYS)
  const height = (value: number) => ({ height: `${(100 * Math.max(0, value)) / most}%` })
  return (
    <div className={classes.plot}>
      <div className={classes.axis} aria-hidden>
        {[most, most / 2, 0].map((value) => (
          <span key={value}>{formatAxis(value)}</span>
        ))}
      </div>
      <ol className={classes.bars} aria-label={label} data-many={bars.length > 40 || undefined}>
        {bars.map(({ key, name, value, before, to }, place) => {
          const drawn = (
            <>
              <span className={classes.column}>
                {before !== undefined && <span className={classes.before} style={height(before)} />}
                <span className={classes.value} style={height(value)} />
              </span>
              <span className={classes.key} aria-hidden>
                {place % step === 0 ? key : ''}
              </span>
            </>
          )
          return (
            <li key={key}>
              {to === undefined ? (
                <span role="img" aria-label={name} title={name}>
                  {drawn}
                </span>
              ) : (
                <Link to={to} aria-label={name} title={name}>
                  {drawn}
                </Link>
              )}
            </li>
          )
        })}
      </ol>
    </div>
  )
}
