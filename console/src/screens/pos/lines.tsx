import { ActionIcon, Button, Text, UnstyledButton } from '@mantine/core'
import { IconMinus, IconPlus, IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { WholeNumberInput } from '../../components/forms/whole-number-input.tsx'
import { EmptyState } from '../../components/page.tsx'
import { Money } from '../../components/values.tsx'
import { formatNumber, formatVnd } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import classes from './lines.module.css'
import { DiscountInput } from './payment/discount-input.tsx'
import {
  isDecided,
  isLineGivenAway,
  lineAmount,
  lineDiscount,
  offeredPrice,
  type Sale,
  type SaleChange,
  type SaleLine,
} from './sale.ts'
import { posTexts } from './texts.ts'

type Change = (change: SaleChange) => void

/** The scanned lines. Enter in a field calls `onDone`, which returns to the scan field. */
export function Lines({ sale, change, onDone }: { sale: Sale; change: Change; onDone: () => void }) {
  const texts = useTexts(posTexts)
  if (sale.lines.length === 0) return <EmptyState title={texts.emptyTitle} hint={texts.emptyHint} />
  return (
    <ul className={classes.lines} aria-label={texts.lines}>
      {sale.lines.map((line, index) => (
        <Line
          key={line.skuId}
          line={line}
          index={index}
          isChosen={index === sale.chosen}
          isLocked={isDecided(sale)}
          change={change}
          onDone={onDone}
        />
      ))}
    </ul>
  )
}

function Line(props: {
  line: SaleLine
  index: number
  isChosen: boolean
  isLocked: boolean
  change: Change
  onDone: () => void
}) {
  const texts = useTexts(posTexts)
  const { language } = useLanguage()
  const { line, index, isChosen, isLocked, change, onDone } = props
  const set = (fields: Partial<Pick<SaleLine, 'quantity' | 'discount' | 'price'>>) =>
    change({ type: 'line', index, change: fields })
  const choose = () => change({ type: 'choose', index })
  const taken = lineDiscount(line)
  const offer = offeredPrice(line)
  const row = useRef<HTMLLIElement>(null)
  // A line that was just chosen, as by a scan, is in view, where the sale has a scroll bar of its own.
  useEffect(() => {
    const till = row.current?.closest('[data-till]')
    if (isChosen && till != null && getComputedStyle(till).overflowY === 'auto')
      row.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    <li ref={row} className={classes.line} data-chosen={isChosen || undefined} aria-current={isChosen}>
      <UnstyledButton
        className={classes.name}
        // Not focusable, because the arrow keys choose a line from the scan field.
        tabIndex={-1}
        onClick={() => {
          choose()
          onDone()
        }}
      >
        <Text span inherit fw={500}>
          {line.name}
        </Text>
        <Text span size="xs" c="dimmed" display="block">
          {line.code !== '' && `${line.code} · `}
          <Money vnd={line.price} />
        </Text>
        {line.quantity > line.stock && (
          <Text span size="xs" c="red" display="block" role="status">
            {line.stock > 0 ? texts.short(formatNumber(line.stock, language)) : texts.soldOut}
          </Text>
        )}
      </UnstyledButton>
      <ActionIcon
        variant="subtle"
        color="gray"
        className={classes.remove}
        aria-label={texts.remove(line.name)}
        disabled={isLocked}
        onClick={() => {
          change({ type: 'remove', index })
          onDone()
        }}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
      <div className={classes.quantity}>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={texts.fewer(line.name)}
          disabled={isLocked || line.quantity <= 1}
          onClick={() => {
            set({ quantity: line.quantity - 1 })
            onDone()
          }}
        >
          <IconMinus size={16} aria-hidden />
        </ActionIcon>
        <WholeNumberInput
          data-line-quantity={index}
          aria-label={texts.quantityOf(line.name)}
          className={classes.count}
          value={line.quantity}
          min={1}
          max={1_000_000}
          hideControls
          errorProps={{ className: classes.wrong }}
          disabled={isLocked}
          onFocus={choose}
          onChange={(quantity) => quantity !== null && set({ quantity })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            onDone()
          }}
        />
        <ActionIcon
          variant="default"
          size={36}
          aria-label={texts.more(line.name)}
          disabled={isLocked}
          onClick={() => {
            set({ quantity: line.quantity + 1 })
            onDone()
          }}
        >
          <IconPlus size={16} aria-hidden />
        </ActionIcon>
      </div>
      <DiscountInput
        data-line-discount={index}
        aria-label={texts.discountOf(line.name)}
        placeholder={texts.lineDiscountHint}
        className={classes.discount}
        value={line.discount}
        disabled={isLocked}
        onFocus={choose}
        onChange={(discount) => set({ discount })}
        onEnter={onDone}
        {...(isLineGivenAway(line) && {
          error: texts.aboveLine(formatVnd(line.price * line.quantity, language)),
        })}
      />
      <div className={classes.amount}>
        <Money vnd={lineAmount(line)} />
        {taken > 0 && (
          <Text size="xs" c="teal">
            <Money vnd={-taken} />
          </Text>
        )}
      </div>
      {offer !== undefined && (
        <div className={classes.offer}>
          <Button
            size="compact-sm"
            variant="light"
            disabled={isLocked}
            onClick={() => {
              set({ price: offer.price })
              onDone()
            }}
          >
            {offer.from === undefined
              ? texts.retailPrice(formatVnd(offer.price, language))
              : texts.wholesalePrice(formatVnd(offer.price, language), formatNumber(offer.from, language))}
          </Button>
        </div>
      )}
    </li>
  )
}
