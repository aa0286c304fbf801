import { ActionIcon, NumberInput, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { MoneyInput } from '../../components/money-input.tsx'
import { EmptyState } from '../../components/page.tsx'
import { Money } from '../../components/values.tsx'
import { formatNumber } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import classes from './pos.module.css'
import type { Sale, SaleChange, SaleLine } from './sale.ts'
import { posTexts } from './texts.ts'

type Change = (change: SaleChange) => void

/** What was scanned. Enter in a field goes back to the scan field, which `onDone` does. */
export function Lines({ sale, change, onDone }: { sale: Sale; change: Change; onDone: () => void }) {
  const texts = useTexts(posTexts)
  if (sale.lines.length === 0) return <EmptyState title={texts.emptyTitle} hint={texts.emptyHint} />
  const set = (index: number, fields: Partial<Pick<SaleLine, 'quantity' | 'discount'>>) =>
    change({ type: 'line', index, change: fields })
  const leave = (event: { key: string; preventDefault: () => void }) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    onDone()
  }
  const isLocked = sale.sent !== null
  const columns: Column<SaleLine>[] = [
    { title: texts.product, cell: (line) => <Named line={line} /> },
    { title: texts.price, isNumber: true, cell: ({ price }) => <Money vnd={price} /> },
    {
      title: texts.quantity,
      width: 104,
      cell: (line, index) => (
        <NumberInput
          data-line-quantity={index}
          aria-label={texts.quantityOf(line.name)}
          value={line.quantity}
          min={1}
          max={1_000_000}
          allowDecimal={false}
          allowNegative={false}
          disabled={isLocked}
          onChange={(typed) => typeof typed === 'number' && set(index, { quantity: typed })}
          onKeyDown={leave}
        />
      ),
    },
    {
      title: texts.discount,
      width: 128,
      cell: (line, index) => (
        <MoneyInput
          data-line-discount={index}
          aria-label={texts.discountOf(line.name)}
          value={line.discount === 0 ? null : line.discount}
          disabled={isLocked}
          onChange={(vnd) => set(index, { discount: vnd ?? 0 })}
          onKeyDown={leave}
        />
      ),
    },
    {
      title: texts.amount,
      isNumber: true,
      cell: ({ price, quantity, discount }) => <Money vnd={price * quantity - discount} />,
    },
    {
      width: 40,
      cell: (line, index) => (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={texts.remove(line.name)}
          disabled={isLocked}
          onClick={(event) => {
            event.stopPropagation()
            change({ type: 'remove', index })
            onDone()
          }}
        >
          <IconX size={16} />
        </ActionIcon>
      ),
    },
  ]
  return (
    <div className={classes.lines}>
      <DataTable
        columns={columns}
        rows={sale.lines}
        keyOf={({ skuId }) => skuId}
        rowProps={(_, index) => ({
          className: classes.line,
          'data-chosen': index === sale.chosen || undefined,
          'aria-current': index === sale.chosen,
          onClick: () => change({ type: 'choose', index }),
        })}
      />
    </div>
  )
}

function Named({ line }: { line: SaleLine }) {
  const texts = useTexts(posTexts)
  const { language } = useLanguage()
  return (
    <>
      <Text inherit fw={500}>
        {line.name}
      </Text>
      <Text size="xs" c="dimmed">
        {line.code}
      </Text>
      {line.quantity > line.stock && (
        <Text size="xs" c="red.8" role="status">
          {texts.short(formatNumber(line.stock, language))}
        </Text>
      )}
    </>
  )
}
