import { Alert, Anchor, Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback, useReducer, useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import { dataOf, Problem } from '../../api/problem.ts'
import type { Warehouse } from '../../api/rows.ts'
import { ConfirmButton, useAction } from '../../components/actions.tsx'
import { FormActions } from '../../components/forms/form-actions.tsx'
import { keptOf, useTyped } from '../../components/forms/kept-form.ts'
import { Select } from '../../components/forms/select/select.tsx'
import { useSentOnce } from '../../components/forms/sent-once.ts'
import { Card, Loaded, Page, ProblemNote } from '../../components/page.tsx'
import { formatNumber, formatVnd } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import type { Sellable } from '../pos/sale.ts'
import { posTexts } from '../pos/texts.ts'
import { warehousesQuery } from '../products/product-queries.ts'
import classes from './note.module.css'
import {
  ADDRESSES,
  bodyOf,
  changedDraft,
  costOf,
  type Draft,
  type DraftChange,
  EXPLAINED,
  isWhole,
  type Kind,
  MOST_LINES,
  type NoteBody,
  newDraft,
  piecesOf,
} from './note.ts'
import { NoteLines } from './note-lines.tsx'
import { type PreviewItem, previewQuery, STALE } from './note-queries.ts'
import { ScanGoods } from './scan-goods.tsx'
import { SupplierField } from './supplier-field.tsx'
import { stockTexts } from './texts.ts'
import { useQuestionBefore } from './use-question-before.tsx'

export const NewGoodsReceived = () => <NewNote kind="receive" />
export const NewStockCount = () => <NewNote kind="count" />
export const NewTransfer = () => <NewNote kind="transfer" />

const PREVIEW_AFTER_MS = 250

function NewNote({ kind }: { kind: Kind }) {
  const texts = useTexts(stockTexts)
  const { shop, canWrite } = useSession()
  const warehouses = useQuery(warehousesQuery)
  return (
    <Page title={texts.kinds[kind].new} {...EXPLAINED[kind]}>
      {shop === undefined || !canWrite ? (
        <Alert>{texts.viewer}</Alert>
      ) : (
        <Loaded query={warehouses}>
          {(places) =>
            kind === 'transfer' && places.length < 2 ? (
              <Alert>
                {texts.oneWarehouse}{' '}
                <Anchor component={Link} to="/settings?tab=warehouses" inherit>
                  {texts.addWarehouse}
                </Anchor>
              </Alert>
            ) : (
              <NoteForm key={shop._id} kind={kind} shopId={shop._id} warehouses={places} />
            )
          }
        </Loaded>
      )}
    </Page>
  )
}

/**
 * A note that is written by scanning. The draft and the sent request are kept over a reload, so that a lost response
 * never leads to a second booking.
 */
function NoteForm({ kind, shopId, warehouses }: { kind: Kind; shopId: string; warehouses: Warehouse[] }) {
  const texts = useTexts(stockTexts)
  const words = useTexts(common)
  const { language } = useLanguage()
  const navigate = useNavigate()
  const { draft, start, change } = useDraft(kind, warehouses)
  const typed = useTyped(`note ${kind}`, draft, start)
  const { send, unsure, forget } = useSentOnce<NoteBody>(`note ${kind} ${shopId}`)
  const { lookingUp } = useTexts(posTexts)
  /** Whether something scanned has not been found yet: booked now, it would be missing from the note. */
  const [isLookingUp, setLookingUp] = useState(false)
  const askFirst = useQuestionBefore(kind, draft.lines, isLookingUp)
  const lines = useRef(draft.lines)
  lines.current = draft.lines

  const whole = draft.lines.filter((line) => isWhole(kind, line))
  const isLocked = unsure !== undefined
  const preview = usePreview(kind, draft, isLocked)
  const shown = new Map<string, PreviewItem>(preview.items.map((item) => [item.skuId, item]))
  const booking = useAction({
    form: typed,
    run: (body: NoteBody) =>
      send(body, (headers) => dataOf(api.POST('/api/external/v1/inventory/entries', { body, headers }))),
    stale: STALE,
    done: texts.kinds[kind].booked,
    quiet: true,
    onDone: ({ data }) => void navigate({ to: `${ADDRESSES[kind]}/${data._id}` }),
  })
  // A count books the differences that are shown on the screen.
  const isShown = kind !== 'count' || (preview.isCurrent && whole.every(({ skuId }) => shown.has(skuId)))
  const missing = draft.lines.length - whole.length
  const short =
    kind === 'transfer'
      ? whole.filter(({ skuId, quantity }) => isAbove(quantity, shown.get(skuId))).length
      : 0

  function book() {
    const stock = new Map(preview.items.map(({ skuId, stock: pieces }) => [skuId, pieces]))
    booking.mutate(unsure ?? bodyOf(kind, draft, stock), {
      onError(error) {
        if (error instanceof Problem && error.code === 'STOCK_CHANGED') void preview.refetch()
      },
    })
  }
  const onFound = useCallback(
    (sellable: Sellable, quantity: number) => {
      const before = lines.current.find(({ skuId }) => skuId === sellable.skuId)
      if (before === undefined && lines.current.length >= MOST_LINES) return undefined
      change({ type: 'scan', sellable, quantity })
      return texts.added(sellable.name, formatNumber((before?.quantity ?? 0) + quantity, language))
    },
    [change, texts, language],
  )
  const differing = whole.filter(({ skuId, quantity }) => shown.get(skuId)?.stock !== quantity).length

  return (
    <Stack>
      {booking.error !== null && <ProblemNote error={booking.error} />}
      {preview.error !== null && booking.error === null && (
        <ProblemNote error={preview.error} onRetry={preview.refetch} />
      )}
      {isLocked && !booking.isPending && (
        <Alert color="yellow" title={texts.unknownTitle} role="alert">
          <Stack gap="xs" align="flex-start">
            {texts.unknownHint(formatNumber(unsure.items.length, language))}
            <Group gap="xs">
              <Button size="xs" onClick={book}>
                {texts.sendAgain}
              </Button>
              <ConfirmButton
                size="xs"
                question={texts.giveUpQuestion}
                confirm={texts.giveUp}
                onConfirm={() => {
                  forget()
                  typed.saved()
                  void navigate({ to: ADDRESSES[kind] })
                }}
              >
                {texts.giveUp}
              </ConfirmButton>
            </Group>
          </Stack>
        </Alert>
      )}
      <Card>
        <Stack>
          <ScanGoods
            shopId={shopId}
            disabled={isLocked}
            hint={texts.kinds[kind].startHint}
            onFound={onFound}
            onLookingUp={setLookingUp}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Places kind={kind} draft={draft} warehouses={warehouses} isLocked={isLocked} change={change} />
            {kind === 'receive' && (
              <SupplierField
                value={draft.supplier}
                disabled={isLocked}
                onChange={(supplier) => change({ type: 'set', change: { supplier } })}
              />
            )}
            <TextInput
              label={words.note}
              maxLength={1000}
              value={draft.note}
              disabled={isLocked}
              onChange={(event) => change({ type: 'set', change: { note: event.currentTarget.value } })}
            />
          </SimpleGrid>
        </Stack>
      </Card>
      <Card title={texts.lines}>
        <NoteLines kind={kind} lines={draft.lines} shown={shown} isLocked={isLocked} change={change} />
      </Card>
      <FormActions>
        <Text className={`num ${classes.sums}`} role="status">
          {texts.sums(formatNumber(whole.length, language), formatNumber(piecesOf(whole), language))}
          {kind === 'receive' && ` · ${formatVnd(costOf(whole), language)}`}
          {kind === 'count' && whole.length > 0 && ` · ${differenceText()}`}
          {/* Why the note cannot be booked yet; its line may be far away. */}
          {missing > 0 && ` · ${texts.withoutQuantity(formatNumber(missing, language))}`}
          {short > 0 && ` · ${texts.aboveAvailable(formatNumber(short, language))}`}
          {isLookingUp && ` · ${lookingUp}`}
        </Text>
        <Button
          loading={booking.isPending}
          disabled={isLocked || whole.length === 0 || missing > 0 || !isShown || short > 0 || isLookingUp}
          onClick={() => askFirst(whole, shown, book)}
        >
          {texts.kinds[kind].book}
        </Button>
      </FormActions>
    </Stack>
  )

  function differenceText(): string {
    if (!isShown) return texts.checking
    return differing === 0 ? texts.noDifferences : texts.differences(formatNumber(differing, language))
  }
}

function isAbove(quantity: number | null, item: PreviewItem | undefined): boolean {
  return item !== undefined && quantity !== null && quantity > item.available
}

/** The draft, stored or new, and its initial values. */
function useDraft(kind: Kind, warehouses: Warehouse[]) {
  const first = warehouses.find(({ isDefault }) => isDefault) ?? warehouses[0]
  const [kept] = useState(() => keptOf<Draft>(`note ${kind}`))
  const [start] = useState(() =>
    newDraft(first?._id ?? '', warehouses.find(({ _id }) => _id !== first?._id)?._id ?? ''),
  )
  const [draft, dispatch] = useReducer(changedDraft, kept ?? start)
  const change = useCallback((one: DraftChange) => dispatch(one), [])
  return { draft, start, change }
}

/** What the note would change, requested when the person pauses. `isCurrent`: the result is for the current lines. */
function usePreview(kind: Kind, draft: Draft, isLocked: boolean) {
  // The supplier and the note are left out because they change nothing in the preview. Costs stay, because they change
  // the average.
  const body = { ...bodyOf(kind, draft), note: '', ...(kind === 'receive' ? { supplier: '' } : {}) }
  const text = JSON.stringify(body)
  const [asked] = useDebouncedValue(text, PREVIEW_AFTER_MS)
  const query = useQuery({
    ...previewQuery(JSON.parse(asked)),
    enabled: body.items.length > 0 && (JSON.parse(asked) as typeof body).items.length > 0 && !isLocked,
    placeholderData: keepPreviousData,
  })
  return {
    items: query.data?.items ?? [],
    error: query.error,
    refetch: query.refetch,
    isCurrent: text === asked && query.data !== undefined && !query.isPlaceholderData && !query.isFetching,
  }
}

function Places(props: {
  kind: Kind
  draft: Draft
  warehouses: Warehouse[]
  isLocked: boolean
  change: (change: DraftChange) => void
}) {
  const texts = useTexts(stockTexts)
  const { kind, draft, warehouses, isLocked, change } = props
  const places = warehouses.map(({ _id, name }) => ({ value: _id, label: name }))
  const { warehouseId, toWarehouseId } = draft
  function move(from: string) {
    const to = from === toWarehouseId ? warehouseId : toWarehouseId
    change({ type: 'set', change: { warehouseId: from, toWarehouseId: to } })
  }
  return (
    <>
      <Select
        label={kind === 'transfer' ? texts.fromWarehouse : texts.warehouse}
        data={places}
        value={warehouseId}
        allowDeselect={false}
        disabled={isLocked}
        onChange={(id) => id !== null && move(id)}
      />
      {kind === 'transfer' && (
        <Select
          label={texts.toWarehouse}
          data={places.filter(({ value }) => value !== warehouseId)}
          value={toWarehouseId}
          allowDeselect={false}
          disabled={isLocked}
          onChange={(id) => id !== null && change({ type: 'set', change: { toWarehouseId: id } })}
        />
      )}
    </>
  )
}
