import { Alert, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { useIsAway } from '../../api/connection.ts'
import { ConfirmButton } from '../../components/actions.tsx'
import { isDialogOpen } from '../../components/dialogs/open-dialog.ts'
import { Card, Page, ProblemNote } from '../../components/page.tsx'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import { NoShift } from '../shifts/no-shift.tsx'
import { ShiftButton } from '../shifts/shift-dialog.tsx'
import { CustomerPicker } from './customer-picker.tsx'
import { FullScreenButton } from './full-screen-button.tsx'
import { Lines } from './lines.tsx'
import { ConnectionLight } from './outage/connection-light.tsx'
import { ownAmounts } from './outage/own-amounts.ts'
import { useKeptCatalogue } from './outage/use-kept-catalogue.ts'
import { useAfterSale } from './payment/after-sale.ts'
import type { Sold } from './payment/last-sale.tsx'
import { Payment, type PosFields } from './payment/payment.tsx'
import classes from './pos.module.css'
import {
  type GoodsBody,
  goodsBody,
  isDecided,
  isFarAboveStock,
  type SaleLine,
  type Sellable,
} from './sale.ts'
import { SaleTabs } from './sale-tabs.tsx'
import { CameraButton } from './scan/camera-button.tsx'
import { FailedScans } from './scan/failed-scans.tsx'
import { ScanInput } from './scan/scan-input.tsx'
import { signal } from './scan/signal.ts'
import { useScans } from './scan/use-scans.ts'
import { isTextField, useStrayScan } from './scan/use-stray-scan.ts'
import { previewQuery, useSell } from './sell.ts'
import { Shortcuts } from './shortcuts.tsx'
import { posTexts } from './texts.ts'
import { Tiles } from './tiles.tsx'
import { useSales } from './use-sales.ts'

const PREVIEW_AFTER_MS = 120
const DESK = 'pos-desk'

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

/** The counter. Everything works from the keyboard, and a scanned code goes to the scan field wherever the focus is. */
function Counter({ shopId }: { shopId: string }) {
  const texts = useTexts(posTexts)
  const isAway = useIsAway()
  const { user } = useSession()
  useKeptCatalogue(shopId)
  const [notice, setNotice] = useState('')
  const sayAdopted = useCallback((count: number) => setNotice(texts.reopened(count)), [texts])
  const { held, sale, change, changeAny } = useSales(shopId, user._id, sayAdopted)
  const isLocked = isDecided(sale)
  const [sold, setSold] = useState<Sold>()
  /** Whether nothing was added since the last sale was sold. */
  const [isSoldLast, setIsSoldLast] = useState(false)
  const [sales, setSales] = useState(0)
  const after = useAfterSale(sales)
  /** The lines about which is asked before they are sold. */
  const [doubted, setDoubted] = useState<SaleLine[]>()
  const scan = useRef<HTMLInputElement>(null)
  const customer = useRef<HTMLInputElement>(null)
  const fields: PosFields = {
    discount: useRef<HTMLInputElement>(null),
    given: useRef<HTMLInputElement>(null),
    sell: useRef<HTMLButtonElement>(null),
  }
  const toScan = useCallback(() => scan.current?.focus(), [])
  // While a sale is being sent, its fields are disabled and lose the focus, but the next customer's goods can be scanned.
  useEffect(() => {
    if (isLocked || sale.id !== '') toScan()
  }, [isLocked, sale.id, toScan])
  useEffect(() => {
    window.addEventListener('afterprint', toScan)
    return () => window.removeEventListener('afterprint', toScan)
  }, [toScan])

  const goods = goodsBody(sale)
  // As text, because the goods are another object at each rendering, which would start the wait again and again.
  const wanted = JSON.stringify(goods)
  const [asked] = useDebouncedValue(wanted, PREVIEW_AFTER_MS)
  const body: GoodsBody = JSON.parse(asked)
  const preview = useQuery({
    ...previewQuery(body),
    enabled: body.orderItems.length > 0 && sale.lines.length > 0 && !isAway,
  })
  // Until the service has computed exactly these goods, the counter shows its own sum of them.
  const isCurrent = asked === wanted
  const served = isCurrent && !isAway ? preview.data : undefined
  const computed = sale.lines.length === 0 ? undefined : (served ?? ownAmounts(goods))
  const selling = useSell(shopId, sale, change, (done, ended) => {
    setSold(done)
    setSales((before) => before + 1)
    setIsSoldLast(true)
    setNotice('')
    scans.forget(ended)
  })

  const add = useCallback(
    (sellable: Sellable, quantity: number) => {
      // As it was when the scan was made.
      if (isLocked) changeAny({ type: 'addToNext', after: sale.id, sellable, quantity })
      else change({ type: 'add', sellable, quantity })
      setIsSoldLast(false)
      setNotice(texts.added(sellable.name))
      signal('found')
    },
    [change, changeAny, isLocked, sale.id, texts],
  )
  const forgetNotice = useCallback(() => setNotice(''), [])
  const scans = useScans({
    shopId,
    sale: isLocked ? undefined : sale.id,
    field: scan,
    onFound: add,
    onFailed: forgetNotice,
  })
  useStrayScan(scan, scans.lookUp)
  useShortcuts({
    Escape: toScan,
    F2: () => focusLine('quantity', sale.chosen),
    F3: () => focusLine('discount', sale.chosen),
    F4: () => customer.current?.focus(),
    F8: () => select(fields.discount.current),
    F9: () => {
      const given = fields.given.current
      if (given === null || given.disabled) fields.sell.current?.focus()
      else select(given)
    },
    F6: () => changeAny({ type: 'next' }),
    F7: () => changeAny({ type: 'another' }),
    typed: toScan,
  })

  function discard() {
    change({ type: 'new' })
    scans.forget(sale.id)
  }

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
        <>
          {sale.lines.length > 0 && !isLocked && (
            <ConfirmButton
              size="xs"
              question={texts.clearQuestion}
              confirm={texts.clear}
              onConfirm={() => {
                discard()
                toScan()
              }}
            >
              {texts.clear}
            </ConfirmButton>
          )}
          {after !== undefined && <after.WarehouseChoice shopId={shopId} onDone={toScan} />}
          <ShiftButton onLeft={toScan} />
          <FullScreenButton />
        </>
      }
    >
      <SaleTabs
        held={held}
        controls={DESK}
        onShow={(id) => changeAny({ type: 'show', id })}
        onAnother={() => {
          changeAny({ type: 'another' })
          toScan()
        }}
      />
      <div className={`${classes.desk} no-print`} id={DESK}>
        <Stack gap="sm">
          <ConnectionLight shopId={shopId} />
          <div className={classes.scan}>
            <ScanInput shopId={shopId} input={scan} scans={scans} onFound={add} onIdleKey={onIdleKey} />
            <CameraButton onCode={scans.lookUp} />
          </div>
          <Text size="sm" c="dimmed" aria-live="polite">
            {notice === '' ? texts.scanHint : notice}
          </Text>
          <FailedScans scans={scans.failed} onRetry={scans.retry} onDismiss={scans.dismiss} />
          <Shortcuts />
          <Tiles
            shopId={shopId}
            onTake={(sellable) => {
              add(sellable, 1)
              toScan()
            }}
            onLeft={toScan}
          />
        </Stack>
        <Stack gap="sm" className={classes.till} data-till>
          <NoShift />
          {after !== undefined && <after.RefusedSales shopId={shopId} />}
          {after !== undefined && sold !== undefined && (isSoldLast || sale.lines.length === 0) && (
            <after.LastSale key={sold.order._id} shopId={shopId} sold={sold} setSold={setSold} />
          )}
          <Card>
            <Stack gap="sm">
              {selling.error !== null && <ProblemNote error={selling.error} />}
              {preview.error !== null && selling.error === null && !isAway && (
                <ProblemNote error={preview.error} />
              )}
              {after !== undefined && sale.sent !== null && !selling.isPending && (
                <after.UnknownSale onGiveUp={discard} />
              )}
              <CustomerPicker
                key={`customer ${sale.id}`}
                shopId={shopId}
                field={customer}
                customer={sale.customer}
                disabled={isLocked}
                onChoose={(chosen) => {
                  change({ type: 'set', change: { customer: chosen } })
                  toScan()
                }}
              />
              <Lines key={`lines ${sale.id}`} sale={sale} change={change} onDone={toScan} />
              <Payment
                key={sale.id}
                sale={sale}
                change={change}
                computed={computed}
                isComputing={computed !== undefined && !isAway && (!isCurrent || preview.isPending)}
                isAway={isAway}
                isSelling={selling.isPending}
                isLookingUp={scans.isLookingUp}
                fields={fields}
                onSell={() => {
                  if (after !== undefined && sale.sent === null && sale.lines.some(isFarAboveStock))
                    setDoubted(sale.lines)
                  else selling.sell()
                }}
                toCustomer={() => customer.current?.focus()}
                onDone={toScan}
              />
            </Stack>
          </Card>
        </Stack>
      </div>
      {after !== undefined && doubted === sale.lines && (
        <after.OversellQuestion lines={doubted} onSell={selling.sell} onClose={() => setDoubted(undefined)} />
      )}
      {after !== undefined && sold !== undefined && (
        <after.Receipt order={sold.order} cash={sold.cash} cashier={user.name || user.email} />
      )}
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

/**
 * The counter's shortcuts. `typed` gets a character that is typed while no field has the focus. Inactive while a dialog
 * is open.
 */
function useShortcuts(acts: Record<string, () => void>): void {
  const current = useRef(acts)
  current.current = acts
  useEffect(() => {
    function onKey(event: globalThis.KeyboardEvent) {
      if (isDialogOpen()) return
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
