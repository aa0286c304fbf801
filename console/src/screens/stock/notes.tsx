import { Anchor, Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { StockEntrySummary } from '../../api/rows.ts'
import type { Column } from '../../components/lists/data-table.tsx'
import { List } from '../../components/lists/list.tsx'
import { useListState } from '../../components/lists/list-state.ts'
import { directionOf, sortingOf } from '../../components/lists/sorting/sorting.ts'
import { Card, Page } from '../../components/page.tsx'
import { Money, When } from '../../components/values.tsx'
import { formatNumber } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { warehousesQuery } from '../products/product-queries.ts'
import { ADDRESSES, EXPLAINED, type Kind } from './note.ts'
import { entriesQuery } from './note-queries.ts'
import { stockTexts } from './texts.ts'

export const GoodsReceived = () => <Notes kind="receive" />
export const StockCounts = () => <Notes kind="count" />
export const Transfers = () => <Notes kind="transfer" />

/** The shop's notes of a kind. */
function Notes({ kind }: { kind: Kind }) {
  const texts = useTexts(stockTexts)
  const { canWrite } = useSession()
  const [list, setList] = useListState({ page: 1, size: 20, sort: '' })
  const columns = useColumns(kind)
  const sorting = sortingOf(columns, list.sort, setList)
  const entries = useQuery({
    ...entriesQuery(kind, list.page, list.size, directionOf(sorting.order)),
    placeholderData: keepPreviousData,
  })
  const words = texts.kinds[kind]
  const add = canWrite && (
    <Button component={Link} to={`${ADDRESSES[kind]}/new`} leftSection={<IconPlus size={16} />}>
      {words.new}
    </Button>
  )
  return (
    <Page title={words.title} {...EXPLAINED[kind]} actions={add}>
      <Card>
        <List
          name={ADDRESSES[kind].slice(1)}
          query={entries}
          rowsOf={({ data }) => data.entries}
          lengthOf={({ data }) => data.meta}
          columns={columns}
          state={list}
          setState={setList}
          sizes={[20, 50]}
          empty={{ title: words.emptyTitle, hint: words.emptyHint }}
          sorting={sorting}
        />
      </Card>
    </Page>
  )
}

function useColumns(kind: Kind): Column<StockEntrySummary>[] {
  const texts = useTexts(stockTexts)
  const { note } = useTexts(common)
  const { language } = useLanguage()
  const { data: warehouses = [] } = useQuery(warehousesQuery)
  const placeOf = (id: string | null) => warehouses.find(({ _id }) => _id === id)?.name
  const count = (value: number) => formatNumber(value, language)
  const time: Column<StockEntrySummary> = {
    title: texts.time,
    sort: { by: 'createdAt', of: 'time' },
    cell: ({ _id, createdAt }) => (
      <Anchor component={Link} to={`${ADDRESSES[kind]}/${_id}`} fw={500} size="sm">
        <When at={createdAt} />
      </Anchor>
    ),
  }
  const own: Record<Kind, Column<StockEntrySummary>[]> = {
    receive: [
      { id: 'supplier', title: texts.supplier, cell: ({ supplier }) => supplier || '–' },
      { id: 'warehouse', title: texts.warehouse, cell: ({ warehouseId }) => placeOf(warehouseId) },
      { id: 'items', title: texts.items, isNumber: true, cell: ({ itemCount }) => count(itemCount) },
      { id: 'pieces', title: texts.pieces, isNumber: true, cell: ({ added }) => count(added) },
      {
        id: 'totalCost',
        title: texts.totalCost,
        isNumber: true,
        cell: ({ totalCost }) => <Money vnd={totalCost} />,
      },
    ],
    count: [
      { id: 'warehouse', title: texts.warehouse, cell: ({ warehouseId }) => placeOf(warehouseId) },
      { id: 'items', title: texts.items, isNumber: true, cell: ({ itemCount }) => count(itemCount) },
      {
        id: 'difference',
        title: texts.difference,
        isNumber: true,
        cell: ({ added, removed }) =>
          added === 0 && removed === 0
            ? texts.matches
            : [added > 0 && texts.more(count(added)), removed > 0 && texts.fewer(count(removed))]
                .filter(Boolean)
                .join(' · '),
      },
    ],
    transfer: [
      { id: 'from', title: texts.fromWarehouse, cell: ({ warehouseId }) => placeOf(warehouseId) },
      { id: 'to', title: texts.toWarehouse, cell: ({ toWarehouseId }) => placeOf(toWarehouseId) },
      { id: 'items', title: texts.items, isNumber: true, cell: ({ itemCount }) => count(itemCount) },
      { id: 'pieces', title: texts.pieces, isNumber: true, cell: ({ added }) => count(added) },
    ],
  }
  return [
    time,
    ...own[kind],
    { id: 'recordedBy', title: texts.recordedBy, cell: ({ recordedBy }) => recordedBy?.name ?? texts.nobody },
    { id: 'note', title: note, cell: (entry) => entry.note, maxWidth: 240 },
  ]
}
