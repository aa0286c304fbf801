import { Button, Modal, UnstyledButton } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Customer } from '../../api/rows.ts'
import type { Column } from '../../components/data-table.tsx'
import { List } from '../../components/list.tsx'
import { useListState } from '../../components/list-state.ts'
import { Card, Page } from '../../components/page.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { When } from '../../components/values.tsx'
import { formatPhone } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
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
      <Modal
        opened={open !== undefined}
        onClose={() => setOpen(undefined)}
        title={open === 'new' ? texts.add : texts.edit}
      >
        {open !== undefined && (
          <CustomerForm customer={open === 'new' ? undefined : open} onDone={() => setOpen(undefined)} />
        )}
      </Modal>
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
        <UnstyledButton fw={500} fz="sm" onClick={() => onOpen(customer)}>
          {customer.fullName}
        </UnstyledButton>
      ),
    },
    { title: texts.phone, cell: ({ phone }) => formatPhone(phone) },
    { title: texts.email, cell: ({ email }) => email },
    { title: createdAt, cell: (customer) => <When at={customer.createdAt} /> },
  ]
}
