import { ActionIcon, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { memo } from 'react'
import { MoneyInput } from '../../components/forms/money-input.tsx'
import { WholeNumberInput } from '../../components/forms/whole-number-input.tsx'
import { EmptyState } from '../../components/page.tsx'
import { Money } from '../../components/values.tsx'
import { formatNumber, formatVnd } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { Difference } from './difference.tsx'
import classes from './note.module.css'
import { type DraftChange, type Kind, type Line, MOST_LINES } from './note.ts'
import type { PreviewItem } from './note-queries.ts'
import { stockTexts } from './texts.ts'

const MOST_PIECES = 1_000_000_000
const MOST_UNIT_COST = 1_000_000_000_000

/** The scanned lines, and what each would change. `shown` is for the lines at the time of the last request. */
export function NoteLines(props: {
  kind: Kind
  lines: Line[]
  shown: ReadonlyMap<string, PreviewItem>
  isLocked: boolean
  change: (change: DraftChange) => void
}) {
  const texts = useTexts(stockTexts)
  const { language } = useLanguage()
  const { kind, lines, shown, isLocked, change } = props
  if (lines.length === 0) return <EmptyState title={texts.noLines} hint={texts.kinds[kind].startHint} />
  return (
    <>
      {lines.length >= MOST_LINES && (
        <Text size="sm" c="red" role="status" mb="xs">
          {texts.full(formatNumber(MOST_LINES, language))}
        </Text>
      )}
      <ul className={classes.lines} aria-label={texts.lines}>
        {lines.map((line) => (
          <NoteLine
            key={line.skuId}
            kind={kind}
            line={line}
            shown={shown.get(line.skuId)}
            isLocked={isLocked}
            change={change}
          />
        ))}
      </ul>
    </>
  )
}

/** Its props keep their identity while another line changes, so typing in a long note is as fast as in a short one. */
const NoteLine = memo(function NoteLine(props: {
  kind: Kind
  line: Line
  shown: PreviewItem | undefined
  isLocked: boolean
  change: (change: DraftChange) => void
}) {
  const texts = useTexts(stockTexts)
  const { kind, line, shown, isLocked, change } = props
  const { skuId, name, code, quantity, unitCost } = line
  const hints = useHints(kind, line, shown)
  return (
    <li className={classes.line} data-kind={kind}>
      <div className={classes.name}>
        <Text fw={500}>{name}</Text>
        <Text size="xs" c="dimmed">
          {(code === '' ? hints : [code, ...hints]).join(' · ')}
        </Text>
      </div>
      <WholeNumberInput
        aria-label={texts.quantityOf(name)}
        value={quantity}
        min={kind === 'count' ? 0 : 1}
        max={MOST_PIECES}
        hideControls
        disabled={isLocked}
        onChange={(pieces) => change({ type: 'line', skuId, change: { quantity: pieces } })}
      />
      {kind === 'receive' && (
        <MoneyInput
          aria-label={texts.unitCostOf(name)}
          placeholder={texts.unitCost}
          max={MOST_UNIT_COST}
          value={unitCost}
          disabled={isLocked}
          onChange={(vnd) => change({ type: 'line', skuId, change: { unitCost: vnd } })}
        />
      )}
      <div className={classes.amount}>
        <Result kind={kind} line={line} shown={shown} />
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        className={classes.remove}
        aria-label={texts.remove(name)}
        disabled={isLocked}
        onClick={() => change({ type: 'remove', skuId })}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </li>
  )
})

/** What the line's goods have now and what the note changes; nothing until the service has said so. */
function useHints(kind: Kind, line: Line, shown: PreviewItem | undefined): string[] {
  const texts = useTexts(stockTexts)
  const { language } = useLanguage()
  if (shown === undefined) return []
  const vnd = (value: number) => formatVnd(value, language)
  if (kind === 'count') return [texts.inStock(formatNumber(shown.stock, language))]
  if (kind === 'transfer') return [texts.available(formatNumber(shown.available, language))]
  const { averageCost, averageCostAfter } = shown
  if (line.unitCost === null)
    return [...(averageCost === null ? [] : [texts.averageCost(vnd(averageCost))]), texts.noCost]
  if (averageCostAfter === null) return []
  return averageCost === null || averageCost === averageCostAfter
    ? [texts.averageCost(vnd(averageCostAfter))]
    : [texts.averageMoves(vnd(averageCost), vnd(averageCostAfter))]
}

function Result({ kind, line, shown }: { kind: Kind; line: Line; shown: PreviewItem | undefined }) {
  const texts = useTexts(stockTexts)
  const { language } = useLanguage()
  const { quantity, unitCost } = line
  if (kind === 'receive') return <Money vnd={unitCost === null ? null : unitCost * (quantity ?? 0)} />
  if (shown === undefined || quantity === null) return '–'
  if (kind === 'count') return <Difference pieces={quantity - shown.stock} />
  if (quantity <= shown.available) return null
  return (
    <Text span inherit c="red" role="status">
      {texts.short(formatNumber(Math.max(shown.available, 0), language))}
    </Text>
  )
}
