import { Badge } from '@mantine/core'
import { useTexts } from '../../texts/language.tsx'
import { orderTexts } from './texts.ts'

/** In the order they follow each other; an order only moves forwards, or out of the way. */
export const STATUSES = [
  'pending',
  'confirmed',
  'processing',
  'ready_to_ship',
  'shipping',
  'delivered',
  'completed',
  'cancelled',
] as const
export type Status = (typeof STATUSES)[number]
type LaterStatus = Exclude<Status, 'pending' | 'cancelled'>

const COLOURS: Record<string, string> = {
  pending: 'yellow',
  confirmed: 'blue',
  processing: 'blue',
  ready_to_ship: 'indigo',
  shipping: 'indigo',
  delivered: 'teal',
  completed: 'teal',
  cancelled: 'gray',
  not_paid: 'orange',
  partially_paid: 'yellow',
  paid: 'teal',
}

export function StatusBadge({ status }: { status: string }) {
  return <OrderBadge word={status} kind="statuses" />
}

export function PaymentBadge({ status }: { status: string }) {
  return <OrderBadge word={status} kind="paymentStatuses" />
}

function OrderBadge({ word, kind }: { word: string; kind: 'statuses' | 'paymentStatuses' }) {
  const names: Record<string, string> = useTexts(orderTexts)[kind]
  return (
    <Badge variant="dot" color={COLOURS[word] ?? 'gray'} tt="none" fw={500}>
      {names[word] ?? word}
    </Badge>
  )
}

/** What a way of paying is called; partners name their own. */
export function useMethodName(): (method: string) => string {
  const { methods }: { methods: Record<string, string> } = useTexts(orderTexts)
  return (method) => (method === '' ? '–' : (methods[method] ?? method))
}

/** The statuses that an order may move on to, the next one first; without `cancelled`. */
export function statusesAfter(status: string): LaterStatus[] {
  const place = STATUSES.indexOf(status as Status)
  if (place === -1 || status === 'cancelled') return []
  return STATUSES.slice(place + 1).filter((each) => each !== 'pending' && each !== 'cancelled')
}

export function isCancellable(status: string): boolean {
  return STATUSES.indexOf(status as Status) < STATUSES.indexOf('delivered')
}
