import { Button, Divider, Group, SegmentedControl, Stack, Switch, Text } from '@mantine/core'
import type { RefObject } from 'react'
import { MoneyInput } from '../../components/money-input.tsx'
import { Money } from '../../components/values.tsx'
import { formatVnd } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import classes from './pos.module.css'
import { likelyCash, METHODS, type Method, type Sale, type SaleChange } from './sale.ts'
import { posTexts } from './texts.ts'

export type PosFields = {
  discount: RefObject<HTMLInputElement | null>
  given: RefObject<HTMLInputElement | null>
  sell: RefObject<HTMLButtonElement | null>
}
export type Computed = {
  price: number
  originPrice: number
  discount: number
  shippingFee: number
  untaxedPrice: number
}

/** Sums, the way of paying, the cash given and its change, and the button that sells. */
export function Payment(props: {
  sale: Sale
  change: (change: SaleChange) => void
  /** What the service says that it comes to; undefined while there is nothing to compute. */
  computed: Computed | undefined
  isSelling: boolean
  fields: PosFields
  onSell: () => void
  /** Back to the scan field. */
  onDone: () => void
}) {
  const texts = useTexts(posTexts)
  const { sale, change, computed } = props
  const set = (fields: Partial<Pick<Sale, 'discount' | 'method' | 'isPaid' | 'isHandedOver' | 'given'>>) =>
    change({ type: 'set', change: fields })
  const isLocked = sale.sent !== null
  const lineDiscounts = sale.lines.reduce((sum, line) => sum + line.discount, 0)
  const { language } = useLanguage()
  const price = computed?.price ?? 0
  const isCapped = computed !== undefined && computed.discount < sale.discount
  const takesCash = sale.isPaid && sale.method === 'cash'
  const missing = takesCash && sale.given !== null ? price - sale.given : 0
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (missing <= 0) props.onSell()
      }}
    >
      <Stack gap="sm">
        <Sum label={texts.subtotal} vnd={computed?.originPrice ?? 0} />
        {lineDiscounts > 0 && <Sum label={texts.lineDiscounts} vnd={-lineDiscounts} />}
        <MoneyInput
          ref={props.fields.discount}
          label={texts.orderDiscount}
          // No more than the goods come to is taken off; else the sums above the total would not make it.
          description={isCapped && texts.takenOff(formatVnd(computed.discount, language))}
          value={sale.discount === 0 ? null : sale.discount}
          disabled={isLocked}
          onChange={(vnd) => set({ discount: vnd ?? 0 })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            // Only the Enter of the cash given, or of the button, sells.
            event.preventDefault()
            props.onDone()
          }}
        />
        <Divider />
        <div aria-live="polite">
          <Text size="sm">{texts.total}</Text>
          <div className={classes.sum}>
            <Money vnd={price} />
          </div>
          {computed !== undefined && (
            <Text size="sm" c="dimmed">
              {texts.vat} <Money vnd={price - computed.shippingFee - computed.untaxedPrice} />
            </Text>
          )}
        </div>
        <SegmentedControl
          aria-label={texts.method}
          fullWidth
          disabled={isLocked}
          data={METHODS.map((value) => ({ value, label: texts.methods[value] }))}
          value={sale.method}
          onChange={(method) => set({ method: method as Method, given: null })}
        />
        {takesCash && (
          <CashGiven
            sale={sale}
            price={price}
            missing={missing}
            field={props.fields.given}
            onGiven={(given) => set({ given })}
          />
        )}
        <Group justify="space-between">
          <Switch
            label={texts.isPaid}
            checked={sale.isPaid}
            disabled={isLocked}
            onChange={(event) => set({ isPaid: event.currentTarget.checked, given: null })}
          />
          <Switch
            label={texts.isHandedOver}
            checked={sale.isHandedOver}
            disabled={isLocked}
            onChange={(event) => set({ isHandedOver: event.currentTarget.checked })}
          />
        </Group>
        <Button
          ref={props.fields.sell}
          type="submit"
          size="lg"
          fullWidth
          loading={props.isSelling}
          disabled={sale.lines.length === 0 || missing > 0}
        >
          {texts.sell}
        </Button>
      </Stack>
    </form>
  )
}

function CashGiven(props: {
  sale: Sale
  price: number
  missing: number
  field: RefObject<HTMLInputElement | null>
  onGiven: (vnd: number | null) => void
}) {
  const texts = useTexts(posTexts)
  const { language } = useLanguage()
  const { sale, price, missing } = props
  const isLocked = sale.sent !== null
  return (
    <Stack gap={6}>
      <MoneyInput
        ref={props.field}
        label={texts.given}
        placeholder={texts.exact}
        size="md"
        value={sale.given}
        disabled={isLocked}
        onChange={props.onGiven}
        error={missing > 0 && texts.notEnough(formatVnd(missing, language))}
      />
      {price > 0 && (
        <Group gap={6}>
          {likelyCash(price).map((sum) => (
            <Button
              key={sum}
              size="compact-xs"
              variant="default"
              disabled={isLocked}
              onClick={() => {
                props.onGiven(sum)
                props.field.current?.focus()
              }}
            >
              {formatVnd(sum, language)}
            </Button>
          ))}
        </Group>
      )}
      {sale.given !== null && missing <= 0 && (
        <Group justify="space-between">
          <Text>{texts.change}</Text>
          <Text fw={700} size="lg" role="status">
            <Money vnd={sale.given - price} />
          </Text>
        </Group>
      )}
    </Stack>
  )
}

function Sum({ label, vnd }: { label: string; vnd: number }) {
  return (
    <Group justify="space-between">
      <Text size="sm">{label}</Text>
      <Money vnd={vnd} />
    </Group>
  )
}
