import { Group, Stack, Text } from '@mantine/core'
import type { RefObject } from 'react'
import { MoneyInput } from '../../../components/forms/money-input.tsx'
import { Chip } from '../../../components/lists/chip.tsx'
import { Money } from '../../../components/values.tsx'
import { formatVnd } from '../../../format.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { TransferCode } from '../../orders/receipt/transfer-code.tsx'
import { isDecided, likelyCash, type Sale, slipCode } from '../sale.ts'
import { posTexts } from '../texts.ts'
import { takenNow } from './taken-payments.ts'

type Given = Partial<Pick<Sale, 'part' | 'cashPart' | 'given'>>

/** What the customer pays now: the part of the price, its division into cash and transfer, the cash given and its change. */
export function PaidNow(props: {
  sale: Sale
  price: number
  /** The first field for an amount. */
  field: RefObject<HTMLInputElement | null>
  set: (fields: Given) => void
}) {
  const texts = useTexts(posTexts)
  const { language } = useLanguage()
  const { sale, price, set, field } = props
  const isLocked = isDecided(sale)
  const isPart = sale.paying === 'part'
  const due = sale.paying === 'all' ? price : isPart ? (sale.part ?? 0) : 0
  const isDueWrong = isPart && sale.part !== null && (due <= 0 || due >= price)
  const taken = takenNow(sale, price)
  const transfer = sale.method === 'split' ? taken?.[1]?.vnd : undefined
  const isCashWrong = sale.cashPart !== null && (sale.cashPart <= 0 || sale.cashPart >= due)
  const owed = price - due
  const toTransfer = taken?.find(({ method }) => method === 'transfer')?.vnd ?? 0
  return (
    <Stack gap={6}>
      {isPart && (
        <MoneyInput
          ref={field}
          label={texts.part}
          size="md"
          value={sale.part}
          disabled={isLocked}
          onChange={(part) => set({ part })}
          error={isDueWrong && texts.partWrong(formatVnd(price, language))}
        />
      )}
      {sale.paying !== 'later' && sale.method === 'split' && (
        <>
          <MoneyInput
            ref={isPart ? undefined : field}
            // The sale cannot be completed without it, and it may be below the window.
            autoFocus
            label={texts.cashPart}
            description={transfer === undefined && texts.cashPartHint}
            size="md"
            value={sale.cashPart}
            disabled={isLocked}
            onChange={(cashPart) => set({ cashPart })}
            error={isCashWrong && texts.partWrong(formatVnd(due, language))}
          />
          {transfer !== undefined && <Row label={texts.byTransfer} vnd={transfer} />}
        </>
      )}
      {sale.paying !== 'later' && sale.method === 'cash' && (!isPart || (due > 0 && !isDueWrong)) && (
        <CashGiven
          sale={sale}
          due={due}
          field={isPart ? undefined : field}
          onGiven={(given) => set({ given })}
        />
      )}
      {toTransfer > 0 && <TransferCode vnd={toTransfer} reference={slipCode(sale)} />}
      {price > 0 && owed > 0 && !isDueWrong && <Row label={texts.owed} vnd={owed} />}
    </Stack>
  )
}

function CashGiven(props: {
  sale: Sale
  due: number
  field: RefObject<HTMLInputElement | null> | undefined
  onGiven: (vnd: number | null) => void
}) {
  const texts = useTexts(posTexts)
  const { language } = useLanguage()
  const { sale, due } = props
  const isLocked = isDecided(sale)
  const missing = sale.given === null ? 0 : due - sale.given
  return (
    <>
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
      {due > 0 && (
        <Group gap={6}>
          {likelyCash(due).map((sum) => (
            <Chip
              key={sum}
              disabled={isLocked}
              onClick={() => {
                props.onGiven(sum)
                props.field?.current?.focus()
              }}
            >
              {formatVnd(sum, language)}
            </Chip>
          ))}
        </Group>
      )}
      {sale.given !== null && missing <= 0 && <Row label={texts.change} vnd={sale.given - due} />}
    </>
  )
}

function Row({ label, vnd }: { label: string; vnd: number }) {
  return (
    <Group justify="space-between">
      <Text>{label}</Text>
      <Text fw={700} size="lg" role="status">
        <Money vnd={vnd} />
      </Text>
    </Group>
  )
}
