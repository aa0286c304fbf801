import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import classes from './bar-plot.module.css'
import { roundUp } from './round-up.ts'

type Drawn = { name: string; value: number; to?: string }
/**
 * `key` is shown under the bar; `name` describes the bar fully in words. `before` is drawn behind it for comparison, or
 * beside it if it has a name and a list of its own.
 */
export type Bar = Drawn & { key: string; before?: number | Required<Drawn> }

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
  const most = roundUp(Math.max(0, ...bars.map(({ value, before }) => Math.max(value, sumOf(before)))))
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
        {bars.map(({ key, before, ...bar }, place) => {
          const value = <span className={classes.value} style={height(bar.value)} />
          const behind = <span className={classes.before} style={height(sumOf(before))} />
          return (
            <li key={key}>
              {typeof before === 'object' ? (
                <div className={classes.pair}>
                  <Part bar={before}>{behind}</Part>
                  <Part bar={bar}>{value}</Part>
                </div>
              ) : (
                <Part bar={bar}>
                  <span className={classes.column}>
                    {before !== undefined && behind}
                    {value}
                  </span>
                </Part>
              )}
              <span className={classes.key} aria-hidden>
                {place % step === 0 ? key : ''}
              </span>
            </li>
          )
        })}
      </ol>
    </div>
  )
}

const sumOf = (before: Bar['before']) => (typeof before === 'object' ? before.value : (before ?? 0))

/** What can be pressed of the plot, or at least pointed at. */
function Part({ bar: { name, to }, children }: { bar: Drawn; children: ReactNode }) {
  return to === undefined ? (
    <span className={classes.part} role="img" aria-label={name} title={name}>
      {children}
    </span>
  ) : (
    <Link className={classes.part} to={to} aria-label={name} title={name}>
      {children}
    </Link>
  )
}
