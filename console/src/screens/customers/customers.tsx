import { Anchor, Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Customer } from '../../api/rows.ts'
import { DownloadButton } from '../../components/download-button.tsx'
import { FormDialog } from '../../components/forms/leave-question.tsx'
import { useCommonApplied } from '../../components/lists/applied.tsx'
import { useSelection } from '../../components/lists/bulk/selection.ts'
import type { Column } from '../../components/lists/data-table.tsx'
import { List } from '../../components/lists/list.tsx'
import { ListFilters } from '../../components/lists/list-filters.tsx'
import { useListState } from '../../components/lists/list-state.ts'
import { SearchField } from '../../components/lists/search-field.tsx'
import { directionOf, fieldOf, NEWEST, sortingOf } from '../../components/lists/sorting/sorting.ts'
import { Card, Page } from '../../components/page.tsx'
import { Money, When } from '../../components/values.tsx'
import { formatPhone, formatVnd } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { useCustomerActions } from './bulk/customer-actions.tsx'
import { CustomerForm } from './customer-form.tsx'
import { customerTexts } from './texts.ts'

const SORTS = ['createdAt', 'fullName', 'debt'] as const
const LARGEST_DEBT = '-debt'

export function Customers() {
  const texts = useTexts(customerTexts)
  const { language } = useLanguage()
  const { canWrite } = useSession()
  const [list, setList] = useListState({ page: 1, size: 20, search: '', debt: '', sort: '' })
  const isOwing = list.debt === 'owed'
  const navigate = useNavigate()
  const [isAdding, adding] = useDisclosure()
  const columns = useColumns(isOwing)
  const sorting = sortingOf(columns, list.sort, setList, isOwing ? LARGEST_DEBT : NEWEST)
  const filter = { search: list.search || undefined, debt: isOwing ? ('owed' as const) : undefined }
  const customers = useQuery({
    queryKey: ['customers', list],
    placeholderData: keepPreviousData,
    queryFn: () =>
      dataOf(
        api.GET('/api/external/v1/customers', {
          params: {
            query: {
              page: list.page,
              limit: list.size,
              total: 'capped',
              select: 'debt',
              ...filter,
              sortBy: SORTS.find((one) => one === fieldOf(sorting.order)),
              sortType: directionOf(sorting.order),
            },
          },
        }),
      ),
  })

  const applied = [
    ...useCommonApplied(list),
    ...(isOwing ? [{ name: texts.owing, without: { debt: '' } }] : []),
  ]
  const selection = useSelection('customers', JSON.stringify(filter), nameOf)
  const actions = useCustomerActions(selection)
  const meta = customers.data?.data.meta
  const sum = meta?.isCut
    ? texts.owingCut
    : meta?.debt
      ? texts.owedInAll(formatVnd(meta.debt, language))
      : undefined

  return (
    <Page
      title={texts.title}
      actions={
        <>
          <DownloadButton
            label={texts.export}
            fetchFile={(labels) =>
              api.GET('/api/external/v1/customers/export', {
                params: { query: { ...filter, labels } },
                parseAs: 'blob',
              })
            }
          />
          {canWrite && (
            <Button component={Link} to="/customers/import" variant="default">
              {texts.import}
            </Button>
          )}
          {canWrite && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={adding.open}>
              {texts.add}
            </Button>
          )}
        </>
      }
    >
      <Card>
        <ListFilters name="customers" applied={applied} setList={setList}>
          <Group>
            <SearchField
              value={list.search}
              onSearch={(text) => setList({ search: text })}
              hint={texts.searchHint}
              flex="1 1 200px"
              maw={360}
            />
            <Button
              variant={isOwing ? 'light' : 'default'}
              aria-pressed={isOwing}
              onClick={() => setList({ debt: isOwing ? '' : 'owed' })}
            >
              {texts.owing}
            </Button>
          </Group>
        </ListFilters>
        <List
          name="customers"
          query={customers}
          rowsOf={({ data }) => data.customers}
          lengthOf={({ data }) => data.meta}
          columns={columns}
          state={list}
          setState={setList}
          sizes={[20, 50, 100]}
          isFiltered={list.search !== '' || isOwing}
          empty={{ title: texts.emptyTitle, hint: texts.emptyHint }}
          bulk={{ selection, actions }}
          sorting={sorting}
          sums={
            sum !== undefined && (
              <Text size="sm" c="dimmed">
                {sum}
              </Text>
            )
          }
        />
      </Card>
      <FormDialog opened={isAdding} onClose={adding.close} title={texts.add}>
        {isAdding && (
          <CustomerForm
            customer={undefined}
            onDone={({ data }) => void navigate({ to: `/customers/${data._id}` })}
          />
        )}
      </FormDialog>
    </Page>
  )
}

const nameOf = ({ fullName }: Customer) => fullName

/** Only debts that the list is filtered by can be sorted. */
function useColumns(isOwing: boolean): Column<Customer>[] {
  const texts = useTexts(customerTexts)
  const { createdAt } = useTexts(common)
  return [
    {
      title: texts.fullName,
      sort: { by: 'fullName', of: 'text' },
      cell: (customer) => (
        <Anchor component={Link} to={`/customers/${customer._id}`} fw={500} size="sm">
          {customer.fullName}
        </Anchor>
      ),
    },
    { id: 'phone', title: texts.phone, inCard: 'end', cell: ({ phone }) => formatPhone(phone) },
    { id: 'email', title: texts.email, inCard: 'line', cell: ({ email }) => email },
    {
      id: 'debt',
      title: texts.debt,
      isNumber: true,
      ...(isOwing && { sort: { by: 'debt', of: 'number', isDown: true } }),
      cell: ({ debt = 0 }) => (debt > 0 ? <Money vnd={debt} /> : null),
    },
    {
      id: 'createdAt',
      title: createdAt,
      sort: { by: 'createdAt', of: 'time' },
      cell: (customer) => <When at={customer.createdAt} />,
    },
  ]
}
