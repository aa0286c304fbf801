import { Button, Group, SegmentedControl, Stack, Switch, Text, UnstyledButton } from '@mantine/core'
import { type RefObject, useState } from 'react'
import { Money } from '../../../components/values.tsx'
import { formatNumber, formatVnd } from '../../../format.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { vatOf } from '../../orders/order-price.ts'
import classes from '../pos.module.css'
import {
  goodsSum,
  isDecided,
  isLineGivenAway,
  lineDiscount,
  type Sale,
  type SaleChange,
  saleDiscount,
  settled,
} from '../sale.ts'
import { posTexts } from '../texts.ts'
import { isAbove } from './discount.ts'
import { DiscountInput } from './discount-input.tsx'
import { PaidNow } from './paid-now.tsx'
import { METHODS, type Method, PAYINGS, type PayingNow } from './taken-payments.ts'

export type PosFields = {
  discount: RefObject<HTMLInputElement | null>
  given: RefObject<HTMLInputElement | null>
  sell: RefObject<HTMLButtonElement | null>
}
type Computed = {
  price: number
  originPrice: number
  discount: number
  shippingFee: number
  /** Unknown until the service has computed it. */
  untaxedPrice: number | undefined
}

/** Sums, the payment method, the cash given and its change, and the button that completes the sale. */
export function Payment(props: {
  sale: Sale
  change: (change: SaleChange) => void
  /** The amounts of this sale; undefined while there are none. */
  computed: Computed | undefined
  /** Whether the service has not computed them yet. */
  isComputing: boolean
  isSelling: boolean
  /** Whether something scanned has not been found yet: sold now, it would be missing from the sale. */
  isLookingUp: boolean
  /** While the service is unavailable, cards cannot be accepted. */
  isAway: boolean
  fields: PosFields
  onSell: () => void
  /** Goes to the field of the customer, whom a sale on credit needs. */
  toCustomer: () => void
  /** Returns to the scan field. */
  onDone: () => void
}) {
  const texts = useTexts(posTexts)
  const { sale, change, computed, isAway } = props
  const set = (
    fields: Partial<
      Pick<Sale, 'discount' | 'method' | 'paying' | 'part' | 'cashPart' | 'isHandedOver' | 'given'>
    >,
  ) => change({ type: 'set', change: fields })
  const isLocked = isDecided(sale)
  const lineDiscounts = sale.lines.reduce((sum, line) => sum + lineDiscount(line), 0)
  const { language } = useLanguage()
  const price = computed?.price ?? 0
  const vat = computed?.untaxedPrice === undefined ? undefined : vatOf(computed)
  // Keeps the line's place while the next amounts are computed.
  const [hasVat, setHasVat] = useState(false)
  if (vat !== undefined && hasVat !== (vat !== 0)) setHasVat(vat !== 0)
  const taken = saleDiscount(sale)
  const isDiscountAbove = sale.lines.length > 0 && isAbove(sale.discount, taken + goodsSum(sale))
  const isGivenAway = isDiscountAbove || sale.lines.some(isLineGivenAway)
  const isPayable = settled(sale, price) !== undefined && (!isGivenAway || isLocked)
  const isWaiting = props.isLookingUp && !isLocked && sale.lines.length > 0
  // Not disabled then: the button leads to the field.
  const isAmountMissing =
    (sale.paying === 'part' && sale.part === null) ||
    (sale.paying !== 'later' && sale.method === 'split' && sale.cashPart === null)
  const isOwedByNobody = sale.paying !== 'all' && sale.customer === null && !isLocked && sale.lines.length > 0
  return (
    <form
      className={classes.payment}
      onSubmit={(event) => {
        event.preventDefault()
        if (isWaiting) return
        // A field that says that it is wrong counts for nothing so far: a discount would not be given, a quantity not be sold.
        const wrong = tillOf(event.currentTarget)?.querySelector<HTMLElement>('[aria-invalid=true]')
        if (wrong != null) {
          wrong.focus()
          return
        }
        if (isOwedByNobody) props.toCustomer()
        else if (isAmountMissing) emptyAmount(event.currentTarget)?.focus()
        else if (isPayable) props.onSell()
      }}
    >
      <Stack gap="sm">
        <Sum label={texts.subtotal} vnd={computed?.originPrice ?? 0} />
        {lineDiscounts > 0 && <Sum label={texts.lineDiscounts} vnd={-lineDiscounts} />}
        <DiscountInput
          ref={props.fields.discount}
          label={texts.orderDiscount}
          description={
            'basisPoints' in sale.discount &&
            sale.lines.length > 0 &&
            texts.takenOff(formatVnd(taken, language))
          }
          {...(isDiscountAbove && { error: texts.aboveGoods(formatVnd(taken, language)) })}
          value={sale.discount}
          disabled={isLocked}
          onChange={(discount) => set({ discount })}
          onEnter={props.onDone}
        />
        <SegmentedControl
          aria-label={texts.method}
          className={classes.methods}
          fullWidth
          disabled={isLocked}
          data={METHODS.map((value) => ({
            value,
            label: texts.methods[value],
            disabled: isAway && value === 'card',
          }))}
          value={sale.method}
          onChange={(method) => set({ method: method as Method, given: null, cashPart: null })}
        />
        {isAway && sale.method === 'card' && (
          <Text size="sm" c="red" role="alert">
            {texts.cardNeedsService}
          </Text>
        )}
        <SegmentedControl
          aria-label={texts.paying}
          size="xs"
          fullWidth
          disabled={isLocked}
          data={PAYINGS.map((value) => ({ value, label: texts.payings[value] }))}
          value={sale.paying}
          onChange={(paying) => set({ paying: paying as PayingNow, part: null, cashPart: null, given: null })}
        />
        <PaidNow sale={sale} price={price} field={props.fields.given} set={set} />
        <Switch
          label={texts.isHandedOver}
          checked={sale.isHandedOver}
          disabled={isLocked}
          onChange={(event) => set({ isHandedOver: event.currentTarget.checked })}
        />
        <div className={classes.pay} data-form-actions>
          <div className={classes.due} aria-live="polite" aria-busy={props.isComputing}>
            <Text size="sm">{texts.total}</Text>
            <div className={classes.sum}>
              <Money vnd={price} />
            </div>
            {sale.lines.length > 0 && (
              <UnstyledButton
                className={classes.count}
                onClick={(event) => tillOf(event.currentTarget)?.scrollIntoView()}
              >
                {texts.pieces(formatNumber(piecesOf(sale), language))}
              </UnstyledButton>
            )}
            {hasVat && computed !== undefined && (props.isComputing || vat !== undefined) && (
              <Text size="sm" c="dimmed" className={classes.vat}>
                {texts.vat} {vat === undefined ? '…' : <Money vnd={vat} />}
              </Text>
            )}
          </div>
          <Button
            ref={props.fields.sell}
            type="submit"
            size="lg"
            color="teal"
            fullWidth
            loading={props.isSelling}
            disabled={
              sale.lines.length === 0 ||
              isWaiting ||
              !(isPayable || isOwedByNobody || isAmountMissing) ||
              (isAway && sale.method === 'card')
            }
          >
            {isWaiting ? texts.lookingUp : isOwedByNobody ? texts.owedByNobody : texts.sell}
          </Button>
        </div>
      </Stack>
    </form>
  )
}

/** The part of the counter that shows the sale. */
function tillOf(element: HTMLElement): Element | null {
  return element.closest('[data-till]')
}

/** The first field for an amount that is empty. */
function emptyAmount(form: HTMLFormElement): HTMLInputElement | undefined {
  return [...form.querySelectorAll<HTMLInputElement>('.mantine-NumberInput-input')].find(
    ({ value }) => value === '',
  )
}

function piecesOf({ lines }: Sale): number {
  return lines.reduce((sum, { quantity }) => sum + quantity, 0)
}

function Sum({ label, vnd }: { label: string; vnd: number }) {
  return (
    <Group justify="space-between">
      <Text size="sm">{label}</Text>
      <Money vnd={vnd} />
    </Group>
  )
}
