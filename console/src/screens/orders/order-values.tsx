import { Badge, type Tone } from '../../components/badge.tsx'
import { useTexts } from '../../texts/language.tsx'
import { orderTexts } from './texts.ts'

/** In their sequence; an order only moves forwards, or is cancelled. */
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

const TONES: Record<string, Tone> = {
  pending: 'warn',
  confirmed: 'busy',
  processing: 'busy',
  ready_to_ship: 'busy',
  shipping: 'busy',
  delivered: 'good',
  completed: 'good',
  cancelled: 'quiet',
  not_paid: 'warn',
  partially_paid: 'warn',
  paid: 'good',
}

export function StatusBadge({ status }: { status: string }) {
  return <OrderBadge word={status} kind="statuses" />
}

/** Nobody owes anything for a cancelled order. Where its payments are known, it says that they were given back. */
export function PaymentBadge(props: {
  order: { status: string; paymentStatus: string; gatewayPayments?: { amount: number }[] }
}) {
  const { status, paymentStatus, gatewayPayments = [] } = props.order
  const { refunded } = useTexts(orderTexts)
  if (status !== 'cancelled' || paymentStatus !== 'not_paid')
    return <OrderBadge word={paymentStatus} kind="paymentStatuses" />
  if (gatewayPayments.some(({ amount }) => amount < 0)) return <Badge tone="quiet">{refunded}</Badge>
  return <OrderBadge word={paymentStatus} kind="paymentStatuses" tone="quiet" />
}

function OrderBadge(props: { word: string; kind: 'statuses' | 'paymentStatuses'; tone?: Tone }) {
  const { word, kind, tone = TONES[word] ?? 'quiet' } = props
  const names: Record<string, string> = useTexts(orderTexts)[kind]
  return <Badge tone={tone}>{names[word] ?? word}</Badge>
}

/** The name of a payment method. Partners may use methods of their own. */
export function useMethodName(): (method: string) => string {
  const { methods }: { methods: Record<string, string> } = useTexts(orderTexts)
  return (method) => (method === '' ? '–' : (methods[method] ?? method))
}

/** What the list can be filtered by; `owed`: neither cancelled nor paid. */
export const PAYMENTS = ['owed', 'not_paid', 'partially_paid', 'paid'] as const

export function usePaymentName(): (payment: string) => string {
  const texts = useTexts(orderTexts)
  const names: Record<string, string> = { ...texts.paymentStatuses, owed: texts.stillOwed }
  return (payment) => names[payment] ?? payment
}

export const PLATFORMS = ['mini_pos', 'mini_app'] as const

/** The name of the channel that an order came from. Partners may have others. */
export function useChannelName(): (platform: string) => string {
  const { channels }: { channels: Record<string, string> } = useTexts(orderTexts)
  return (platform) => channels[platform] ?? platform
}

/** The statuses that an order may change to, the next one first, without `cancelled`. */
export function statusesAfter(status: string): LaterStatus[] {
  const place = STATUSES.indexOf(status as Status)
  if (place === -1 || status === 'cancelled') return []
  return STATUSES.slice(place + 1).filter((each) => each !== 'pending' && each !== 'cancelled')
}

export function isCancellable(status: string): boolean {
  return STATUSES.indexOf(status as Status) < STATUSES.indexOf('delivered')
}
