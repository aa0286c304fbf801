import { ActionIcon, NumberInput, Table, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
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
  return (
    <Table.ScrollContainer minWidth={620}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.product}</Table.Th>
            <Table.Th className="num">{texts.price}</Table.Th>
            <Table.Th w={104}>{texts.quantity}</Table.Th>
            <Table.Th w={128}>{texts.discount}</Table.Th>
            <Table.Th className="num">{texts.amount}</Table.Th>
            <Table.Th w={40} aria-label={texts.remove('')} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sale.lines.map((line, index) => (
            <Line
              key={line.skuId}
              line={line}
              index={index}
              isChosen={index === sale.chosen}
              isLocked={sale.sent !== null}
              change={change}
              onDone={onDone}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
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
  const { line, index, change, onDone } = props
  const set = (fields: Partial<Pick<SaleLine, 'quantity' | 'discount'>>) =>
    change({ type: 'line', index, change: fields })
  const leave = (event: { key: string; preventDefault: () => void }) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    onDone()
  }
  const isShort = line.quantity > line.stock
  return (
    <Table.Tr
      className={classes.line}
      data-chosen={props.isChosen || undefined}
      aria-current={props.isChosen}
      onClick={() => change({ type: 'choose', index })}
    >
      <Table.Td>
        <Text inherit fw={500}>
          {line.name}
        </Text>
        <Text size="xs" c="dimmed">
          {line.code}
        </Text>
        {isShort && (
          <Text size="xs" c="red.8" role="status">
            {texts.short(formatNumber(line.stock, language))}
          </Text>
        )}
      </Table.Td>
      <Table.Td className="num">
        <Money vnd={line.price} />
      </Table.Td>
      <Table.Td>
        <NumberInput
          data-line-quantity={index}
          aria-label={texts.quantityOf(line.name)}
          value={line.quantity}
          min={1}
          max={1_000_000}
          allowDecimal={false}
          allowNegative={false}
          disabled={props.isLocked}
          onChange={(typed) => typeof typed === 'number' && set({ quantity: typed })}
          onKeyDown={leave}
        />
      </Table.Td>
      <Table.Td>
        <MoneyInput
          data-line-discount={index}
          aria-label={texts.discountOf(line.name)}
          value={line.discount === 0 ? null : line.discount}
          disabled={props.isLocked}
          onChange={(vnd) => set({ discount: vnd ?? 0 })}
          onKeyDown={leave}
        />
      </Table.Td>
      <Table.Td className="num">
        <Money vnd={line.price * line.quantity - line.discount} />
      </Table.Td>
      <Table.Td>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={texts.remove(line.name)}
          disabled={props.isLocked}
          onClick={(event) => {
            event.stopPropagation()
            change({ type: 'remove', index })
            onDone()
          }}
        >
          <IconX size={16} />
        </ActionIcon>
      </Table.Td>
    </Table.Tr>
  )
}
