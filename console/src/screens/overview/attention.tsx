import { Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconClock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Overview } from '../../api/rows.ts'
import { Card } from '../../components/page.tsx'
import { formatVnd } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import classes from './overview.module.css'
import { overviewTexts } from './texts.ts'

/** The threshold of a low wallet, if the shop has not set its own. */
const LOW_VND = 50_000
/** A wallet that lasts for fewer days is worth a word. */
const SOON_DAYS = 14
const REFRESH_MS = 15_000

type Notice = { key: string; isBad: boolean; text: string; to: string }

/** Whole days that the balance lasts if messages go on costing what they did in the seven days before today. */
function daysThatWalletLasts({ days, wallet }: Pick<Overview, 'days' | 'wallet'>): number {
  const spent = days.slice(-8, -1).reduce((sum, { spend }) => sum + spend, 0)
  return spent === 0 ? Number.POSITIVE_INFINITY : Math.floor((wallet.balance * 7) / spent)
}

/** What needs attention: a wallet that is or will soon be low, orders, templates, open circuits, disabled webhooks. */
export function Attention({
  overview,
}: {
  overview: Pick<Overview, 'days' | 'templates' | 'wallet' | 'disabledWebhooks' | 'pendingOrders'>
}) {
  const texts = useTexts(overviewTexts)
  const { language } = useLanguage()
  const accounts = useQuery({
    queryKey: ['official-accounts'],
    refetchInterval: REFRESH_MS,
    queryFn: () => dataOf(api.GET('/api/external/official-accounts')),
  })
  const { templates, wallet, disabledWebhooks, pendingOrders } = overview
  const lastsDays = daysThatWalletLasts(overview)
  const disconnected = (accounts.data?.data ?? []).filter(({ status }) => status === 'DISCONNECTED')
  const failing = (accounts.data?.data ?? []).filter(({ breaker }) =>
    breaker.some(({ state }) => state !== 'closed'),
  )
  const notices: Notice[] = [
    ...disconnected.map(({ _id, name }) => ({
      key: `disconnected ${_id}`,
      isBad: true,
      text: texts.disconnected(name),
      to: '/settings?tab=accounts',
    })),
    ...failing.map(({ _id, name }) => ({
      key: _id,
      isBad: true,
      text: texts.circuitOpen(name),
      to: '/settings',
    })),
    ...(wallet.balance < (wallet.lowBelow ?? LOW_VND)
      ? [
          {
            key: 'wallet',
            isBad: true,
            text: texts.walletLow(formatVnd(wallet.balance, language)),
            to: '/wallet',
          },
        ]
      : lastsDays < SOON_DAYS
        ? [{ key: 'wallet', isBad: false, text: texts.walletLasts(lastsDays), to: '/wallet' }]
        : []),
    ...(pendingOrders > 0
      ? [
          {
            key: 'pending',
            isBad: false,
            text: texts.pending(pendingOrders),
            to: '/orders?status=pending',
          },
        ]
      : []),
    ...(disabledWebhooks > 0
      ? [{ key: 'webhooks', isBad: true, text: texts.webhooksOff(disabledWebhooks), to: '/settings' }]
      : []),
    ...(templates.rejected > 0
      ? [
          {
            key: 'rejected',
            isBad: true,
            text: texts.rejected(templates.rejected),
            to: '/templates?status=REJECTED',
          },
        ]
      : []),
    ...(templates.waiting > 0
      ? [
          {
            key: 'waiting',
            isBad: false,
            text: texts.waiting(templates.waiting),
            to: '/templates?status=PENDING_REVIEW',
          },
        ]
      : []),
  ]
  return (
    <Card title={texts.attention}>
      {notices.length === 0 ? (
        <Group gap="xs" wrap="nowrap">
          <IconCircleCheck size={18} color="var(--jade)" aria-hidden />
          <Text>{texts.nothingWaits}</Text>
        </Group>
      ) : (
        <ul className={classes.todo}>
          {notices.map(({ key, isBad, text, to }) => (
            <li key={key}>
              <Link to={to}>
                {isBad ? (
                  <IconAlertTriangle size={18} className={classes.bad} aria-hidden />
                ) : (
                  <IconClock size={18} className={classes.calm} aria-hidden />
                )}
                <span>{text}</span>
                <b className={classes.open}>{texts.open}</b>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
