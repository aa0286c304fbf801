import { Anchor, Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Customer } from '../../api/rows.ts'
import { FormDialog } from '../../components/forms/leave-question.tsx'
import type { Column } from '../../components/lists/data-table.tsx'
import { List } from '../../components/lists/list.tsx'
import { useListState } from '../../components/lists/list-state.ts'
import { SearchField } from '../../components/lists/search-field.tsx'
import { Card, Page } from '../../components/page.tsx'
import { When } from '../../components/values.tsx'
import { formatPhone } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { CustomerConsent } from './customer-consent.tsx'
import { CustomerForm } from './customer-form.tsx'
import { customerTexts } from './texts.ts'

export function Customers() {
  const texts = useTexts(customerTexts)
  const { canWrite } = useSession()
  const [list, setList] = useListState({ page: 1, size: 20, search: '' })
  const [open, setOpen] = useState<Customer | 'new'>()
  const columns = useColumns(setOpen)
  const customers = useQuery({
    queryKey: ['customers', list],
    placeholderData: keepPreviousData,
    queryFn: () =>
      dataOf(
        api.GET('/api/external/v1/customers', {
          params: {
            query: { page: list.page, limit: list.size, total: 'capped', search: list.search || undefined },
          },
        }),
      ),
  })

  return (
    <Page
      title={texts.title}
      actions={
        canWrite && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen('new')}>
            {texts.add}
          </Button>
        )
      }
    >
      <Card>
        <SearchField
          value={list.search}
          onSearch={(text) => setList({ search: text })}
          hint={texts.searchHint}
          mb="sm"
          maw={360}
        />
        <List
          query={customers}
          rowsOf={({ data }) => data.customers}
          lengthOf={({ data }) => data.meta}
          columns={columns}
          state={list}
          setState={setList}
          sizes={[20, 50, 100]}
          isFiltered={list.search !== ''}
          empty={{ title: texts.emptyTitle, hint: texts.emptyHint }}
        />
      </Card>
      <FormDialog
        opened={open !== undefined}
        onClose={() => setOpen(undefined)}
        title={open === 'new' ? texts.add : texts.edit}
      >
        {open !== undefined && (
          <CustomerForm customer={open === 'new' ? undefined : open} onDone={() => setOpen(undefined)} />
        )}
        {open !== undefined && open !== 'new' && open.phone !== '' && (
          <CustomerConsent phone={formatPhone(open.phone)} />
        )}
      </FormDialog>
    </Page>
  )
}

function useColumns(onOpen: (customer: Customer) => void): Column<Customer>[] {
  const texts = useTexts(customerTexts)
  const { createdAt } = useTexts(common)
  return [
    {
      title: texts.fullName,
      cell: (customer) => (
        <Anchor
          component="button"
          type="button"
          fw={500}
          size="sm"
          ta="start"
          onClick={() => onOpen(customer)}
        >
          {customer.fullName}
        </Anchor>
      ),
    },
    { title: texts.phone, cell: ({ phone }) => formatPhone(phone) },
    { title: texts.email, cell: ({ email }) => email },
    { title: createdAt, cell: (customer) => <When at={customer.createdAt} /> },
  ]
}
