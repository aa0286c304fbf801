import { ActionIcon, Group, Tabs, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { TabList } from '../../components/tab-list.tsx'
import { Money } from '../../components/values.tsx'
import { useTexts } from '../../texts/language.tsx'
import type { HeldSales } from './held-sales.ts'
import classes from './pos.module.css'
import { goodsSum, isDecided, type Sale } from './sale.ts'
import { posTexts } from './texts.ts'

/** The open sales as tabs, each with its customer and sum, and the button that opens another. */
export function SaleTabs(props: {
  held: HeldSales
  onShow: (id: string) => void
  onAnother: () => void
  /** The id of the element that a tab shows. */
  controls: string
}) {
  const texts = useTexts(posTexts)
  const { sales, current } = props.held
  return (
    <Group gap="xs" wrap="nowrap" className={`${classes.tabs} no-print`}>
      <Tabs value={current} onChange={(id) => id !== null && props.onShow(id)} miw={0}>
        <TabList
          aria-label={texts.openSales}
          value={current}
          tabs={sales.map((sale) => ({
            value: sale.id,
            label: <Name sale={sale} />,
            controls: props.controls,
          }))}
        />
      </Tabs>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={texts.anotherSale}
        onClick={props.onAnother}
      >
        <IconPlus size={18} aria-hidden />
      </ActionIcon>
    </Group>
  )
}

function Name({ sale }: { sale: Sale }) {
  const texts = useTexts(posTexts)
  return (
    <>
      {texts.saleNumber(sale.number)}
      {sale.customer !== null && ` · ${sale.customer.fullName}`}
      {isDecided(sale) && ` · ${sale.isSelling ? texts.isSelling : texts.isUnsure}`}
      {sale.lines.length > 0 && (
        <Text span inherit c="dimmed" ml={6}>
          <Money vnd={goodsSum(sale)} />
        </Text>
      )}
    </>
  )
}
