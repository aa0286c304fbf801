import { Alert, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { ConfirmButton } from '../../components/actions.tsx'
import { Card, Page, ProblemNote } from '../../components/page.tsx'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { Receipt } from '../orders/receipt.tsx'
import { CustomerPicker } from './customer-picker.tsx'
import { findSellables, type Sellable } from './find-sellables.ts'
import { LastSale, type Sold } from './last-sale.tsx'
import { Lines } from './lines.tsx'
import { Payment, type PosFields } from './payment.tsx'
import classes from './pos.module.css'
import { bodyOf } from './sale.ts'
import { readScan, ScanInput } from './scan-input.tsx'
import { previewQuery, useSell } from './sell.ts'
import { Shortcuts } from './shortcuts.tsx'
import { posTexts } from './texts.ts'
import { useSale } from './use-sale.ts'
import { isTextField, useStrayScan } from './use-stray-scan.ts'

const PREVIEW_AFTER_MS = 120

export function Pos() {
  const texts = useTexts(posTexts)
  const { shop, canWrite } = useSession()
  if (shop === undefined) return null
  if (!canWrite) {
    return (
      <Page title={texts.title}>
        <Alert>{texts.viewer}</Alert>
      </Page>
    )
  }
  return <Counter key={shop._id} shopId={shop._id} />
}

/** The counter: everything can be done from the keyboard, and a scanned code lands in the scan field wherever one is. */
function Counter({ shopId }: { shopId: string }) {
  const texts = useTexts(posTexts)
  const { failed } = useTexts(common)
  const [sale, change] = useSale(shopId)
  const [notice, setNotice] = useState('')
  const [sold, setSold] = useState<Sold>()
  const scan = useRef<HTMLInputElement>(null)
  const customer = useRef<HTMLInputElement>(null)
  const fields: PosFields = {
    discount: useRef<HTMLInputElement>(null),
    given: useRef<HTMLInputElement>(null),
    sell: useRef<HTMLButtonElement>(null),
  }
  const toScan = useCallback(() => scan.current?.focus(), [])
  // While a sale is being sent the field is disabled, which takes its focus.
  useEffect(() => {
    if (sale.sent === null) toScan()
  }, [sale.sent, toScan])
  useEffect(() => {
    window.addEventListener('afterprint', toScan)
    return () => window.removeEventListener('afterprint', toScan)
  }, [toScan])

  const [body] = useDebouncedValue(bodyOf(sale), PREVIEW_AFTER_MS)
  const preview = useQuery({
    ...previewQuery(body),
    enabled: body.orderItems.length > 0 && sale.lines.length > 0,
    placeholderData: keepPreviousData,
  })
  const computed = sale.lines.length === 0 ? undefined : preview.data
  const selling = useSell(sale, change, (done) => {
    setSold(done)
    setNotice('')
  })

  const add = useCallback(
    (sellable: Sellable, quantity: number) => {
      change({ type: 'add', sellable, quantity })
      setNotice(texts.added(sellable.name))
    },
    [change, texts],
  )
  const tellNotFound = useCallback(
    (text: string) => {
      setNotice('')
      notifications.show({ color: 'red', title: failed, message: texts.notFound(text) })
    },
    [texts, failed],
  )
  const tellProblem = useCallback(
    (error: unknown) => notifications.show({ color: 'red', message: String((error as Error).message) }),
    [],
  )
  const takeStray = useCallback(
    (code: string) => {
      const { quantity, wanted } = readScan(code)
      findSellables(wanted)
        .then((found) => (found.length === 1 ? add(found[0]!, quantity) : tellNotFound(wanted)))
        .catch(tellProblem)
    },
    [add, tellNotFound, tellProblem],
  )
  useStrayScan(scan, takeStray)
  useShortcuts({
    Escape: toScan,
    F2: () => focusLine('quantity', sale.chosen),
    F3: () => focusLine('discount', sale.chosen),
    F4: () => customer.current?.focus(),
    F8: () => select(fields.discount.current),
    F9: () => (fields.given.current === null ? fields.sell.current?.focus() : select(fields.given.current)),
    typed: toScan,
  })

  function onIdleKey(event: KeyboardEvent) {
    const line = sale.lines[sale.chosen]
    const act = {
      ArrowUp: () => change({ type: 'choose', index: sale.chosen - 1 }),
      ArrowDown: () => change({ type: 'choose', index: sale.chosen + 1 }),
      '+': () => line && changeQuantity(line.quantity + 1),
      '-': () => line && changeQuantity(line.quantity - 1),
      Delete: () => change({ type: 'remove', index: sale.chosen }),
    }[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  const changeQuantity = (quantity: number) =>
    change({ type: 'line', index: sale.chosen, change: { quantity } })

  return (
    <Page
      title={texts.title}
      actions={
        sale.lines.length > 0 &&
        sale.sent === null && (
          <ConfirmButton
            size="xs"
            question={texts.clearQuestion}
            confirm={texts.clear}
            onConfirm={() => {
              change({ type: 'new' })
              toScan()
            }}
          >
            {texts.clear}
          </ConfirmButton>
        )
      }
    >
      <div className={`${classes.desk} no-print`}>
        <Stack gap="sm">
          <ScanInput
            input={scan}
            disabled={sale.sent !== null}
            onFound={add}
            onNotFound={tellNotFound}
            onProblem={tellProblem}
            onIdleKey={onIdleKey}
          />
          <Text size="sm" c="dimmed" aria-live="polite">
            {notice === '' ? texts.scanHint : notice}
          </Text>
          <Card>
            <Lines sale={sale} change={change} onDone={toScan} />
          </Card>
          <Shortcuts />
        </Stack>
        <Stack gap="sm">
          {sold !== undefined && sale.lines.length === 0 && <LastSale key={sold.order._id} sold={sold} />}
          <Card>
            <Stack gap="sm">
              {selling.error !== null && <ProblemNote error={selling.error} />}
              {preview.error !== null && selling.error === null && <ProblemNote error={preview.error} />}
              {sale.sent !== null && !selling.isPending && (
                <Alert color="yellow" title={texts.unknownTitle} role="alert">
                  <Stack gap="xs" align="flex-start">
                    {texts.unknownHint}
                    <ConfirmButton
                      size="xs"
                      question={texts.giveUpQuestion}
                      confirm={texts.giveUp}
                      onConfirm={() => change({ type: 'new' })}
                    >
                      {texts.giveUp}
                    </ConfirmButton>
                  </Stack>
                </Alert>
              )}
              <CustomerPicker
                field={customer}
                customer={sale.customer}
                disabled={sale.sent !== null}
                onChoose={(chosen) => {
                  change({ type: 'set', change: { customer: chosen } })
                  toScan()
                }}
              />
              <Payment
                sale={sale}
                change={change}
                computed={computed}
                isSelling={selling.isPending}
                fields={fields}
                onSell={() => selling.mutate()}
                onDone={toScan}
              />
            </Stack>
          </Card>
        </Stack>
      </div>
      {sold !== undefined && <Receipt order={sold.order} givenVnd={sold.givenVnd} />}
    </Page>
  )
}

function select(field: HTMLInputElement | null): void {
  field?.focus()
  field?.select()
}

function focusLine(field: 'quantity' | 'discount', index: number): void {
  select(document.querySelector(`input[data-line-${field}="${index}"]`))
}

/** The counter's keys; `typed`: a character where no field has the focus. Not while a dialog is open. */
function useShortcuts(acts: Record<string, () => void>): void {
  const current = useRef(acts)
  current.current = acts
  useEffect(() => {
    function onKey(event: globalThis.KeyboardEvent) {
      if (document.querySelector('[role="dialog"]') !== null) return
      const act = event.key === 'typed' ? undefined : current.current[event.key]
      if (act !== undefined) {
        event.preventDefault()
        act()
        return
      }
      const isCharacter = event.key.length === 1 && event.key !== ' '
      const isElsewhere = !isTextField(event.target)
      if (isCharacter && isElsewhere && !event.ctrlKey && !event.metaKey && !event.altKey)
        current.current.typed?.()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
