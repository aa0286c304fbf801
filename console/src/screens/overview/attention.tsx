import { Alert, Anchor, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { formatVnd } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { overviewTexts } from './texts.ts'

/** Below this the wallet is called low where the shop has set no threshold of its own. */
const LOW_VND = 50_000
const REFRESH_MS = 15_000

type Notice = { key: string; isBad: boolean; text: string; to: string }

/** What waits for somebody: a low wallet, templates, open circuits, webhooks that were switched off. */
export function Attention({
  overview,
}: {
  overview: {
    templates: { waiting: number; rejected: number }
    wallet: { balance: number; lowBelow: number | null }
    disabledWebhooks: number
  }
}) {
  const texts = useTexts(overviewTexts)
  const { language } = useLanguage()
  const accounts = useQuery({
    queryKey: ['official-accounts'],
    refetchInterval: REFRESH_MS,
    queryFn: () => dataOf(api.GET('/api/external/official-accounts')),
  })
  const { templates, wallet, disabledWebhooks } = overview
  const failing = (accounts.data?.data ?? []).filter(({ breaker }) =>
    breaker.some(({ state }) => state !== 'closed'),
  )
  const notices: Notice[] = [
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
  if (notices.length === 0)
    return (
      <Group gap="xs">
        <IconCircleCheck size={18} aria-hidden />
        <Text>{texts.nothingWaits}</Text>
      </Group>
    )
  return (
    <Stack gap="xs" component="section" aria-label={texts.attention}>
      {notices.map(({ key, isBad, text, to }) => (
        <Alert
          key={key}
          variant="light"
          color={isBad ? 'orange' : 'cyan'}
          icon={isBad ? <IconAlertTriangle /> : <IconInfoCircle />}
          p="xs"
        >
          <Group justify="space-between" gap="xs">
            <Text size="sm">{text}</Text>
            <Anchor component={Link} to={to} size="sm" aria-label={`${texts.open}: ${text}`}>
              {texts.open}
            </Anchor>
          </Group>
        </Alert>
      ))}
    </Stack>
  )
}
