import { Alert, Button, Group, Stack, Switch, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconCheck, IconPrinter } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { Money } from '../../components/values.tsx'
import { useTexts } from '../../texts/language.tsx'
import type { Order } from '../orders/order-queries.ts'
import { posTexts } from './texts.ts'

export type Sold = { order: Order; givenVnd: number | undefined; isCompleted: boolean }

/**
 * What was just sold and the change to give back; its receipt prints by itself where the counter wants that, once for
 * each sale: its order is the `key`.
 */
export function LastSale({ sold }: { sold: Sold }) {
  const texts = useTexts(posTexts)
  const [printsItself, setPrintsItself] = useLocalStorage({
    key: 'shopbell.print-receipts',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const { order, givenVnd } = sold
  const printIfWanted = useEffectEvent(() => {
    if (printsItself) window.print()
  })
  useEffect(() => printIfWanted(), [])
  return (
    <Alert color="teal" icon={<IconCheck aria-hidden />} title={texts.sold(order.code)} role="status">
      <Stack gap="xs">
        {givenVnd !== undefined && (
          <Text size="xl" fw={700}>
            {texts.change} <Money vnd={givenVnd - order.price} />
          </Text>
        )}
        {!sold.isCompleted && <Text size="sm">{texts.notCompleted}</Text>}
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPrinter size={16} aria-hidden />}
            onClick={() => window.print()}
          >
            {texts.print}
          </Button>
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            component={Link}
            to="/orders/$orderId"
            params={{ orderId: order._id } as never}
          >
            {texts.openOrder}
          </Button>
        </Group>
        <Switch
          size="xs"
          label={texts.autoPrint}
          checked={printsItself}
          onChange={(event) => setPrintsItself(event.currentTarget.checked)}
        />
      </Stack>
    </Alert>
  )
}
