import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Select } from '../../../components/forms/select/select.tsx'
import { Card } from '../../../components/page.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { warehousesQuery } from '../product-queries.ts'
import { productTexts } from '../texts.ts'
import { importTexts } from './import-texts.ts'

/** Which goods of a file get their opening stock, and where. A shop with one warehouse is not asked. */
export function StockedWarehouse(props: {
  /** Undefined: the default warehouse. */
  value: string | undefined
  isBusy: boolean
  onChange: (id: string) => void
}) {
  const texts = useTexts(importTexts)
  const { opening } = useTexts(productTexts)
  const { data: warehouses = [] } = useQuery(warehousesQuery)
  const own = warehouses.find(({ isDefault }) => isDefault)?._id
  return (
    <Card title={opening} isForm>
      <Stack>
        <Text size="sm" c="dimmed">
          {texts.stockHint}
        </Text>
        {warehouses.length > 1 && (
          <Select
            label={texts.warehouse}
            allowDeselect={false}
            disabled={props.isBusy}
            data={warehouses.map(({ _id, name }) => ({ value: _id, label: name }))}
            value={props.value ?? own ?? null}
            onChange={(id) => id !== null && props.onChange(id)}
          />
        )}
      </Stack>
    </Card>
  )
}
