import { notifications } from '@mantine/notifications'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import { isServiceAway, LONGEST_WAIT_MS } from '../../api/connection.ts'
import { isLost, isRefusal } from '../../api/outcome.ts'
import { dataOf } from '../../api/problem.ts'
import { serviceNow } from '../../api/service-clock.ts'
import { sentenceOf } from '../../components/page.tsx'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { keepSale } from './outage/keep-sale.ts'
import { isTooOld } from './outage/waiting-sales.ts'
import type { Sold } from './payment/last-sale.tsx'
import { completeOrder, payRest } from './payment/place-order.ts'
import {
  type GoodsBody,
  goodsBody,
  type PressedSale,
  type Sale,
  type SaleChange,
  type SentOrder,
  settled,
  slipCode,
} from './sale.ts'
import { fromWarehouse } from './scan/find-sellables.ts'
import { posTexts } from './texts.ts'

/** A card has no other way, so its sale may take longer. */
const CARD_MS = 20_000

/** The amounts of an order, computed by the service. A sale that waits for them ends its wait itself. */
export const previewQuery = (body: GoodsBody) =>
  queryOptions({
    queryKey: ['pos-preview', body],
    // A sale that waits for it must not wait longer.
    retry: false,
    queryFn: async () => {
      const signal = AbortSignal.timeout(CARD_MS)
      return (await dataOf(api.POST('/api/external/order/pos/preview', { body, signal }))).data
    },
  })

type Change = (change: SaleChange) => Sale | undefined
/** The sale and its `change`, because another sale may be shown when the response arrives. */
type Selling = { sale: PressedSale; change: Change }

/**
 * Places the sale exactly once: every attempt has the sale's Idempotency-Key, and an attempt with an unknown outcome
 * can only be repeated unchanged. The key is stored when the button is pressed, and a request before it is sent, so this
 * also holds after a reload. If the customer takes the goods, the order is completed, which takes them out of stock. If
 * the service is unavailable or does not respond in time, a sale that is not paid by card waits in this browser under the
 * same key, and the counter continues.
 */
export function useSell(
  shopId: string,
  sale: Sale,
  change: Change,
  onSold: (sold: Sold, sale: string) => void,
) {
  const texts = useTexts(posTexts)
  const { offline } = useTexts(common)
  const { shop, user } = useSession()
  const hasBank = shop?.profile.bank != null
  const seller = { id: user._id, name: user.name || user.email }
  const client = useQueryClient()
  /** The sales under way, by their ids, and whether a request was sent, so that the service may have recorded the sale. */
  const underWay = useRef(new Map<string, { isSent: boolean }>())
  /** The error of each sale's last attempt, by the sale's id. */
  const [errors, setErrors] = useState<Readonly<Record<string, Error>>>({})
  const shown = useRef<string>(undefined)
  useEffect(() => {
    shown.current = sale.id
    return () => {
      shown.current = undefined
    }
  }, [sale.id])

  async function place({ sale, change }: Selling): Promise<Sold | undefined> {
    const mayWait = sale.method !== 'card'
    // A sale that was sent too long ago is left to a person, with the other waiting sales.
    const isOld = sale.sent !== null && isTooOld(sale.sent.atMs)
    if (isOld || (mayWait && isServiceAway())) return keepSale(shopId, sale, texts, seller)
    let sent: SentOrder | undefined
    const signal = AbortSignal.timeout(mayWait ? LONGEST_WAIT_MS : CARD_MS)
    try {
      return await send(sale, signal, (one) => {
        sent = one
        underWay.current.set(sale.id, { isSent: true })
        change({ type: 'sent', sent: one })
      })
    } catch (error) {
      if (!mayWait || !isLost(error)) throw error
      return keepSale(shopId, { ...sale, sent: sent ?? sale.sent }, texts, seller)
    }
  }

  /** Sends the sale. Undefined if the payment no longer fits the price, which the form shows. */
  async function send(
    sale: PressedSale,
    signal: AbortSignal,
    onSend: (sent: SentOrder) => void,
  ): Promise<Sold | undefined> {
    let sent = sale.sent
    if (sent === null) {
      const asked = goodsBody(sale)
      const { price } = await orAborted(client.fetchQuery(previewQuery(asked)), signal)
      const payment = settled(sale, price)
      if (payment === undefined) return undefined
      const { body, rest } = payment.paid
      const byCode = hasBank && payment.taken.some(({ method }) => method === 'transfer')
      const code = slipCode(sale)
      const named = byCode ? { reference: code, note: texts.transferNote(code) } : {}
      sent = {
        body: { ...asked, ...body, ...named, ...fromWarehouse(shopId), total: price },
        rest,
        atMs: serviceNow(),
      }
      onSend(sent)
    }
    const { body, rest } = sent
    const { data } = await dataOf(
      api.POST('/api/external/order/pos/create', {
        body,
        headers: { 'idempotency-key': sale.key, 'x-shop-id': shopId },
        signal,
      }),
    )
    const placed = { shopId, id: data._id }
    const isPaid = rest === undefined || (await unlessRefused(payRest(placed, rest, sale.key, signal)))
    const order = rest !== undefined && isPaid ? { ...data, paidAmount: rest.paidAmount } : data
    const completing = sale.isHandedOver ? completeOrder(placed, signal) : Promise.resolve()
    const isCompleted = await completing.then(
      () => true,
      (error) => {
        // It waits, and is completed when it is sent again.
        if (isLost(error) && sale.method !== 'card') throw error
        return false
      },
    )
    const cash = settled(sale, order.price)?.cash
    return { order, cash, isCompleted, isPaid, isWaiting: false }
  }

  const selling = useMutation({
    mutationFn: place,
    onSuccess(sold, { sale, change }) {
      if (sold === undefined) {
        const message = texts.notSold(texts.saleNumber(sale.number), texts.paymentDoesNotFit)
        notifications.show({ color: 'red', autoClose: false, message })
        return
      }
      change({ type: 'new' })
      onSold(sold, sale.id)
      // The counter, which would show it, was left meanwhile.
      if (shown.current === undefined) notifications.show({ message: texts.sold(sold.order.code) })
      void client.invalidateQueries({ queryKey: ['orders'] })
      void client.invalidateQueries({ queryKey: ['products'] })
      void client.invalidateQueries({ queryKey: ['shifts'] })
      if (!sold.isPaid) notifications.show({ color: 'yellow', message: texts.restNotPaid })
      if (!sold.isCompleted) notifications.show({ color: 'yellow', message: texts.notCompleted })
    },
    onError(error, { sale, change }) {
      if (isRefusal(error)) change({ type: 'refused' })
      setErrors((all) => ({ ...all, [sale.id]: error }))
      // Otherwise the next customer's sale is shown already.
      if (shown.current === sale.id) return
      const name = texts.saleNumber(sale.number)
      const isUnsure = underWay.current.get(sale.id)?.isSent === true && !isRefusal(error)
      const message = isUnsure ? texts.unsureSale(name) : texts.notSold(name, sentenceOf(error, offline))
      notifications.show({ color: 'red', autoClose: false, message })
    },
    onSettled(_, __, { sale, change }) {
      underWay.current.delete(sale.id)
      change({ type: 'settled' })
    },
  })

  return {
    isPending: sale.isSelling === true,
    error: errors[sale.id] ?? null,
    sell() {
      // A second Enter may arrive before the button is disabled, and the counter may have been left and opened again.
      if (underWay.current.has(sale.id) || sale.isSelling || sale.lines.length === 0) return
      const pressed = change({ type: 'selling' })
      if (pressed === undefined || pressed.key === null) return
      underWay.current.set(sale.id, { isSent: pressed.sent !== null })
      setErrors(({ [sale.id]: _, ...others }) => others)
      selling.mutate({ sale: { ...pressed, key: pressed.key }, change })
    },
  }
}

/**
 * The result of a promise.
 * @throws the signal's reason if it aborts first
 */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([promise, aborted])
}

/**
 * Whether it was done; the order exists in either case.
 * @throws if no response came; it is then sent again.
 */
async function unlessRefused(doing: Promise<void>): Promise<boolean> {
  try {
    await doing
    return true
  } catch (error) {
    if (!isRefusal(error)) throw error
    return false
  }
}
