import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queryClient } from '../../../api/query.ts'
import { Select } from '../../../components/forms/select/select.tsx'
import { catalogue } from '../../../texts/catalogue.ts'
import { useTexts } from '../../../texts/language.tsx'
import { warehousesQuery } from '../../products/product-queries.ts'
import { fromWarehouse, warehousePlace } from '../scan/find-sellables.ts'

const choiceTexts = catalogue(
  { label: 'Bán từ kho', any: 'Mọi kho' },
  { label: 'Sell from warehouse', any: 'Any warehouse' },
)
const ANY = 'any'

/** From which warehouse this device sells. A shop with one warehouse is not asked. */
export function WarehouseChoice({ shopId, onDone }: { shopId: string; onDone: () => void }) {
  const texts = useTexts(choiceTexts)
  const { data: warehouses } = useQuery(warehousesQuery)
  const [chosen, setChosen] = useState(() => fromWarehouse(shopId).warehouseId)
  const isGone = chosen !== undefined && warehouses?.every(({ _id }) => _id !== chosen) === true
  useEffect(() => {
    if (!isGone) return
    keepWarehouse(shopId, undefined)
    setChosen(undefined)
  }, [isGone, shopId])
  if (warehouses === undefined || warehouses.length < 2) return null
  return (
    <Select
      size="xs"
      w={180}
      aria-label={texts.label}
      allowDeselect={false}
      data={[
        { value: ANY, label: texts.any },
        ...warehouses.map(({ _id, name }) => ({ value: _id, label: name })),
      ]}
      value={chosen ?? ANY}
      onChange={(value) => {
        const id = value === null || value === ANY ? undefined : value
        keepWarehouse(shopId, id)
        setChosen(id)
        onDone()
      }}
    />
  )
}

function keepWarehouse(shopId: string, id: string | undefined): void {
  if (id === undefined) localStorage.removeItem(warehousePlace(shopId))
  else localStorage.setItem(warehousePlace(shopId), id)
  // The goods show that warehouse's stock.
  void queryClient.invalidateQueries({ queryKey: ['products'] })
}
