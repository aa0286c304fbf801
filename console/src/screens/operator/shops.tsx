import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { ListedShop } from '../../api/rows.ts'
import { useAction } from '../../components/actions.tsx'
import { Badge } from '../../components/badge.tsx'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { FormDialog } from '../../components/forms/leave-question.tsx'
import { useCommonApplied } from '../../components/lists/applied.tsx'
import type { Column } from '../../components/lists/data-table.tsx'
import { List } from '../../components/lists/list.tsx'
import { ListFilters } from '../../components/lists/list-filters.tsx'
import { useListState } from '../../components/lists/list-state.ts'
import { SearchField } from '../../components/lists/search-field.tsx'
import { fieldOf, sortingOf } from '../../components/lists/sorting/sorting.ts'
import { Card, ProblemNote } from '../../components/page.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { Money, When } from '../../components/values.tsx'
import { formatNumber } from '../../format.ts'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { operatorTexts } from './texts.ts'

const SORTS = ['createdAt', 'name', 'balance'] as const

export function Shops() {
  const { shops: texts } = useTexts(operatorTexts)
  const [list, setList] = useListState({ page: 1, size: 20, search: '', sort: '' })
  const columns = useColumns()
  const sorting = sortingOf(columns, list.sort, setList)
  const sortBy = SORTS.find((one) => one === fieldOf(sorting.order))
  const [isOpen, setIsOpen] = useState(false)
  const shops = useQuery({
    queryKey: ['operator', 'shops', list],
    placeholderData: keepPreviousData,
    queryFn: () =>
      dataOf(
        api.GET('/api/manage/v1/shops', {
          params: {
            query: { page: list.page, limit: list.size, search: list.search || undefined, sortBy },
          },
        }),
      ),
  })
  return (
    <Card>
      <ListFilters applied={useCommonApplied(list)} setList={setList}>
        <Group justify="space-between">
          <SearchField
            value={list.search}
            onSearch={(text) => setList({ search: text })}
            hint={texts.searchHint}
            w={{ base: '100%', xs: 320 }}
          />
          <Button leftSection={<IconPlus size={16} />} onClick={() => setIsOpen(true)}>
            {texts.add}
          </Button>
        </Group>
      </ListFilters>
      <List
        name="shops"
        query={shops}
        rowsOf={({ data }) => data}
        lengthOf={({ meta }) => meta}
        columns={columns}
        sorting={sorting}
        state={list}
        setState={setList}
        isFiltered={list.search !== ''}
        empty={{ title: texts.emptyTitle, hint: texts.emptyHint }}
      />
      <FormDialog
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        title={texts.add}
        closeOnClickOutside={false}
        closeOnEscape={false}
      >
        <NewShop />
      </FormDialog>
    </Card>
  )
}

function useColumns(): Column<ListedShop>[] {
  const { shops: texts } = useTexts(operatorTexts)
  const { createdAt } = useTexts(common)
  const { language } = useLanguage()
  return [
    {
      title: texts.name,
      sort: { by: 'name', of: 'text', isFixed: true },
      cell: ({ _id, name }) => (
        <Anchor component={Link} to={`/operator/shops/${_id}`} fw={500} size="sm">
          {name}
        </Anchor>
      ),
    },
    {
      id: 'balance',
      title: texts.balance,
      isNumber: true,
      sort: { by: 'balance', of: 'number', isFixed: true },
      cell: ({ summary }) => <Money vnd={summary.balance} />,
    },
    {
      id: 'messages',
      title: texts.messages,
      isNumber: true,
      cell: ({ summary }) => formatNumber(summary.messagesIn30Days, language),
    },
    {
      id: 'lastActivity',
      title: texts.lastActivity,
      cell: ({ summary }) => <When at={summary.lastActivityAt} />,
    },
    { id: 'health', title: texts.health, cell: (shop) => <ShopHealth shop={shop} /> },
    {
      id: 'createdAt',
      title: createdAt,
      sort: { by: 'createdAt', of: 'time', isFixed: true },
      cell: (shop) => <When at={shop.createdAt} />,
    },
  ]
}

/** The problems of a shop, or that there are none. */
function ShopHealth({ shop: { suspendedAt, summary } }: { shop: ListedShop }) {
  const { shops: texts } = useTexts(operatorTexts)
  const { language } = useLanguage()
  const count = (value: number) => formatNumber(value, language)
  const wrong = [
    ...(suspendedAt === null ? [] : [{ tone: 'quiet' as const, says: texts.suspended }]),
    ...(summary.disconnectedAccounts === 0
      ? []
      : [{ tone: 'bad' as const, says: texts.disconnected(count(summary.disconnectedAccounts)) }]),
    ...(summary.disabledWebhooks === 0
      ? []
      : [{ tone: 'bad' as const, says: texts.webhooksOff(count(summary.disabledWebhooks)) }]),
    ...(summary.isWalletLow ? [{ tone: 'warn' as const, says: texts.walletLow }] : []),
  ]
  if (wrong.length === 0) return <Badge tone="good">{texts.healthy}</Badge>
  return (
    <Group gap={6}>
      {wrong.map(({ tone, says }) => (
        <Badge key={says} tone={tone}>
          {says}
        </Badge>
      ))}
    </Group>
  )
}

/** The form of a new shop. Afterwards it shows the shop's first key, once, and a link to the shop. */
function NewShop() {
  const { shops: texts } = useTexts(operatorTexts)
  const { create } = useTexts(common)
  const form = useKeptForm('shop', { name: '' })
  const making = useAction({
    form,
    run: (body: typeof form.values) => dataOf(api.POST('/api/manage/v1/shops', { body })),
    stale: [['operator']],
    quiet: true,
  })
  if (making.data !== undefined) {
    const { shop, apiKey } = making.data.data
    return (
      <Stack>
        <SecretOnce hint={texts.firstKey} secret={apiKey} />
        <Group justify="flex-end">
          <Button component={Link} to={`/operator/shops/${shop._id}`}>
            {texts.open}
          </Button>
        </Group>
      </Stack>
    )
  }
  return (
    <form onSubmit={form.onSubmit((values) => making.mutate(values))}>
      <Stack>
        {making.error !== null && <ProblemNote error={making.error} />}
        <TextInput label={texts.name} required data-autofocus {...form.getInputProps('name')} />
        <Group justify="flex-end">
          <Button type="submit" loading={making.isPending}>
            {create}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
