import { Badge } from '../../components/badge.tsx'
import { formatPhone } from '../../format.ts'
import { useTexts } from '../../texts/language.tsx'
import type { ShownState } from './message-record.ts'
import { messageTexts } from './texts.ts'

export function recipientOf({ phone, userUID = '' }: { phone: string; userUID?: string }): string {
  return phone === '' ? `UID ${userUID}` : formatPhone(phone)
}

const TONES = {
  QUEUED: 'quiet',
  SENDING: 'busy',
  UNKNOWN: 'warn',
  RECEIVED: 'good',
  ERROR: 'bad',
  CANCELLED: 'quiet',
} as const

export function StateBadge({ state }: { state: ShownState }) {
  const { statuses } = useTexts(messageTexts)
  return <Badge tone={TONES[state]}>{statuses[state]}</Badge>
}
