import { Button, Modal, Table, TextInput, UnstyledButton } from '@mantine/core'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useListState, useSearchText } from '../../components/list-state.ts'
import { Card, EmptyState, Loaded, Page } from '../../components/page.tsx'
import { Pager } from '../../components/pager.tsx'
import { When } from '../../components/values.tsx'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { type Customer, CustomerForm } from './customer-form.tsx'
import { customerTexts } from './texts.ts'

const PAGE_SIZE = 20

export function Customers() {
  const texts = useTexts(customerTexts)
  const { nothingFound } = useTexts(common)
  const { canWrite } = useSession()
  const [list, setList] = useListState({ page: 1, search: '' })
  const search = useSearchText(list.search, (text) => setList({ search: text }))
  const [open, setOpen] = useState<Customer | 'new'>()
  const customers = useQuery({
    queryKey: ['customers', list],
    placeholderData: keepPreviousData,
    queryFn: () =>
      dataOf(
        api.GET('/api/external/v1/customers', {
          params: { query: { page: list.page, limit: PAGE_SIZE, search: list.search || undefined } },
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
        <TextInput
          {...search}
          aria-label={texts.searchHint}
          placeholder={texts.searchHint}
          leftSection={<IconSearch size={16} />}
          mb="sm"
          maw={360}
        />
        <Loaded query={customers}>
          {({ data }) =>
            data.customers.length === 0 ? (
              <EmptyState
                title={texts.emptyTitle}
                hint={list.search === '' ? texts.emptyHint : nothingFound}
              />
            ) : (
              <>
                <CustomerTable customers={data.customers} onOpen={setOpen} />
                <Pager
                  page={list.page}
                  pageSize={PAGE_SIZE}
                  total={data.meta.total}
                  onPage={(page) => setList({ page })}
                />
              </>
            )
          }
        </Loaded>
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

function CustomerTable({
  customers,
  onOpen,
}: {
  customers: Customer[]
  onOpen: (customer: Customer) => void
}) {
  const texts = useTexts(customerTexts)
  const { createdAt } = useTexts(common)
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.fullName}</Table.Th>
            <Table.Th>{texts.phone}</Table.Th>
            <Table.Th>{texts.email}</Table.Th>
            <Table.Th>{createdAt}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {customers.map((customer) => (
            <Table.Tr key={customer._id}>
              <Table.Td>
                <UnstyledButton fw={500} fz="sm" onClick={() => onOpen(customer)}>
                  {customer.fullName}
                </UnstyledButton>
              </Table.Td>
              <Table.Td>{customer.phone}</Table.Td>
              <Table.Td>{customer.email}</Table.Td>
              <Table.Td>
                <When at={customer.createdAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
