import { SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Overview } from '../../api/rows.ts'
import { Figure, type Hint } from '../../components/figure.tsx'
import { formatNumber, formatPercent, formatVnd } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { rateOf } from '../messages/results/days.ts'
import { WITHOUT_COST } from '../profit/period.ts'
import { daysOf, messagesIn, soldBetween, soldIn } from './addresses.ts'
import type { ShownPeriod } from './period.ts'
import { overviewTexts } from './texts.ts'

const A_YEAR = 365

/** A relative change, such as `↑ 18%`; undefined if there is nothing to compare with. */
function changeOf(now: number, before: number): { part: number; isUp: boolean } | undefined {
  if (before === 0 || now === before) return undefined
  return { part: Math.abs(now - before) / before, isUp: now > before }
}

/** The period's numbers compared with those before it. Each opens the list that it counts. */
export function Figures({ overview, period }: { overview: Overview; period: ShownPeriod }) {
  const texts = useTexts(overviewTexts)
  const { language } = useLanguage()
  const { isOwner } = useSession()
  const { total, before, wallet } = overview
  const days = daysOf(overview)
  const money = (value: number) => formatVnd(value, language)
  const count = (value: number) => formatNumber(value, language)
  const compared = (name: 'orders' | 'revenue', show: (value: number) => string): Hint[] => {
    const change = changeOf(total[name], before[0]?.[name] ?? 0)
    const sign = change && {
      text: `${change.isUp ? '↑' : '↓'} ${formatPercent(change.part, language)}`,
      tone: change.isUp ? ('good' as const) : ('bad' as const),
    }
    return [
      ...(sign === undefined ? [] : [sign]),
      ...before.map((stretch, place) => ({
        text: texts.before(period, place, show(stretch[name])),
        to: soldBetween(stretch.from, stretch.until),
      })),
    ]
  }
  const walletHint = () => {
    const { lastsDays } = wallet
    if (wallet.balance <= 0) return texts.walletEmpty
    const balance = money(wallet.balance)
    if (lastsDays === null) return texts.wallet(balance)
    return lastsDays > A_YEAR ? texts.walletOverAYear(balance) : texts.walletDays(balance, count(lastsDays))
  }
  const rate = rateOf(total)
  const isDay = overview.days.length === 1
  return (
    <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: 'xs', sm: 'md' }}>
      <Figure
        label={texts.revenue}
        value={money(total.revenue)}
        hints={compared('revenue', money)}
        to={soldIn(days)}
      />
      <Figure
        label={texts.orders}
        value={count(total.orders)}
        hints={compared('orders', count)}
        to={soldIn(days)}
      />
      {isOwner && isDay ? (
        <Profit day={days.from} period={period} />
      ) : (
        <Figure
          label={texts.perOrder}
          value={total.orders === 0 ? '–' : money(Math.round(total.revenue / total.orders))}
          hints={[texts.perOrderHint]}
          to={soldIn(days)}
        />
      )}
      <Figure
        label={texts.delivered}
        value={count(total.delivered)}
        hints={[
          ...(rate === undefined ? [] : [texts.arrived(formatPercent(rate, language), total.failed > 0)]),
          { text: texts.cost(money(total.spend)), to: messagesIn(days, { status: 'RECEIVED' }) },
          { text: walletHint(), to: '/wallet' },
          ...(total.failed > 0
            ? [
                {
                  text: texts.failedOf(count(total.failed)),
                  to: messagesIn(days, { status: 'ERROR' }),
                  tone: 'bad' as const,
                },
              ]
            : []),
        ]}
        to={messagesIn(days, { delivered: 'yes' })}
      />
    </SimpleGrid>
  )
}

/** A day's profit; for owners only. */
function Profit({ day, period }: { day: string; period: ShownPeriod }) {
  const texts = useTexts(overviewTexts)
  const { language } = useLanguage()
  const report = useQuery({
    queryKey: ['profit', { from: day, days: 1 }],
    queryFn: () =>
      dataOf(api.GET('/api/external/v1/reports/profit', { params: { query: { from: day, days: 1 } } })),
  })
  const total = report.data?.data.total
  const margin = () => {
    if (total === undefined || total.salesWithCost === 0) return []
    const { profit, sales, salesWithCost } = total
    const percent = formatPercent(profit / salesWithCost, language)
    return [
      sales === salesWithCost
        ? texts.margin(percent)
        : texts.marginOf(percent, formatVnd(salesWithCost, language)),
    ]
  }
  const unknown =
    total === undefined || total.linesWithoutCost === 0
      ? []
      : [
          {
            text: texts.withoutCost(formatNumber(total.linesWithoutCost, language)),
            to: `/profit?period=${period}&goods=${WITHOUT_COST}`,
          },
        ]
  return (
    <Figure
      label={texts.profit}
      value={total === undefined ? '…' : formatVnd(total.profit, language)}
      hints={[...margin(), ...unknown]}
      to={`/profit?period=${period}`}
    />
  )
}
