import { Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconClock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Overview } from '../../api/rows.ts'
import { Card } from '../../components/page.tsx'
import { formatNumber, formatVnd } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { OWED } from './addresses.ts'
import classes from './overview.module.css'
import { overviewTexts } from './texts.ts'

/** The threshold for a low wallet, if the shop has not set its own. */
const LOW_VND = 50_000
/** A warning is shown if the wallet lasts for fewer days than this. */
const SOON_DAYS = 14
const REFRESH_MS = 15_000

/** The tasks that orders wait for, with the status of the waiting orders. */
const TO_HANDLE = [
  ['pending', 'pending'],
  ['confirmed', 'confirmed'],
  ['processing', 'processing'],
  ['readyToShip', 'ready_to_ship'],
  ['shipping', 'shipping'],
] as const

/** `act` is what the person can do about it, or that they can see it. With `isCut`, there are more than `count`. */
type Notice = {
  key: string
  isBad: boolean
  text: string
  act: string
  to: string
  count?: number
  isCut?: boolean
}

/**
 * What needs attention: orders by their next step, debts, a wallet that is or will soon be low, templates, open circuits,
 * webhooks.
 */
export function Attention({ overview }: { overview: Overview }) {
  const texts = useTexts(overviewTexts)
  const { language } = useLanguage()
  const accounts = useQuery({
    queryKey: ['official-accounts'],
    refetchInterval: REFRESH_MS,
    queryFn: () => dataOf(api.GET('/api/external/official-accounts')),
  })
  const { user, shop, canWrite, isOwner } = useSession()
  const { templates, wallet, disabledWebhooks, ordersToHandle, owed, firstSteps } = overview
  const actOf = (name: keyof typeof texts.acts) => (canWrite ? texts.acts[name] : texts.acts.see)
  // Only an operator can top up, also one who visits the shop as a viewer.
  const moreMoney = user.isOperator
    ? { act: texts.acts.topUp, to: `/operator/shops/${shop?._id}` }
    : { act: texts.acts.see, to: '/wallet' }
  const { lastsDays } = wallet
  // The first top-up is a step for who sees the first steps.
  const isLow = (firstSteps.money || !canWrite) && wallet.balance < (wallet.lowBelow ?? LOW_VND)
  const disconnected = (accounts.data?.data ?? []).filter(({ status }) => status === 'DISCONNECTED')
  const failing = (accounts.data?.data ?? []).filter(({ breaker }) =>
    breaker.some(({ state }) => state !== 'closed'),
  )
  const notices: Notice[] = [
    ...TO_HANDLE.filter(([name]) => ordersToHandle[name] > 0).map(([name, status]) => ({
      key: name,
      isBad: false,
      text: texts.toHandle[name],
      act: actOf(name),
      to: `/orders?status=${status}`,
      count: ordersToHandle[name],
    })),
    ...(owed.orders > 0
      ? [
          {
            key: 'owed',
            isBad: false,
            text: texts.owed(owed.amount === null ? '' : formatVnd(owed.amount, language)),
            act: actOf('owed'),
            to: OWED,
            count: owed.orders,
            isCut: owed.isCut,
          },
        ]
      : []),
    ...disconnected.map(({ _id, name }) => ({
      key: `disconnected ${_id}`,
      isBad: true,
      text: texts.disconnected(name),
      act: isOwner ? texts.acts.connect : texts.acts.see,
      to: '/settings?tab=accounts',
    })),
    ...failing.map(({ _id, name }) => ({
      key: _id,
      isBad: true,
      text: texts.circuitOpen(name),
      act: texts.acts.see,
      to: '/settings',
    })),
    ...(isLow
      ? [
          {
            key: 'wallet',
            isBad: true,
            text: texts.walletLow(formatVnd(wallet.balance, language)),
            ...moreMoney,
          },
        ]
      : lastsDays !== null && lastsDays < SOON_DAYS
        ? [
            {
              key: 'wallet',
              isBad: true,
              text: texts.walletLasts,
              ...moreMoney,
              count: lastsDays,
            },
          ]
        : []),
    ...(disabledWebhooks > 0
      ? [
          {
            key: 'webhooks',
            isBad: true,
            text: texts.webhooksOff(disabledWebhooks),
            count: disabledWebhooks,
            act: texts.acts.see,
            to: '/settings?tab=webhooks',
          },
        ]
      : []),
    ...(templates.rejected > 0
      ? [
          {
            key: 'rejected',
            isBad: true,
            text: texts.rejected(templates.rejected),
            count: templates.rejected,
            act: actOf('correct'),
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
            count: templates.waiting,
            act: texts.acts.see,
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
          {notices.map(({ key, isBad, text, act, to, count, isCut }) => (
            <li key={key}>
              <Link to={to}>
                {count !== undefined ? (
                  <b className={`${classes.count} ${isBad ? classes.bad : ''}`}>
                    {formatNumber(count, language)}
                    {isCut && '+'}
                  </b>
                ) : isBad ? (
                  <IconAlertTriangle size={18} className={`${classes.mark} ${classes.bad}`} aria-hidden />
                ) : (
                  <IconClock size={18} className={`${classes.mark} ${classes.calm}`} aria-hidden />
                )}
                <span>{text}</span>
                <b className={classes.open}>{act}</b>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
