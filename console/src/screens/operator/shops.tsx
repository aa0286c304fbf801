import { Anchor, Button, Group, Modal, Stack, Table, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { dataOf, Problem } from '../../api/problem.ts'
import { useAction } from '../../components/actions.tsx'
import { useListState, useSearchText } from '../../components/list-state.ts'
import { Card, EmptyState, Loaded, ProblemNote } from '../../components/page.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { When } from '../../components/values.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { operatorTexts } from './texts.ts'
import { Turn } from './turn.tsx'

const PAGE_SIZE = 20

export function Shops() {
  const { shops: texts } = useTexts(operatorTexts)
  const words = useTexts(common)
  const [list, setList] = useListState({ page: 1, search: '' })
  const search = useSearchText(list.search, (text) => setList({ search: text }))
  const [isOpen, setIsOpen] = useState(false)
  const shops = useQuery({
    queryKey: ['operator', 'shops', list],
    placeholderData: keepPreviousData,
    queryFn: () =>
      dataOf(
        api.GET('/api/manage/v1/shops', {
          params: { query: { page: list.page, limit: PAGE_SIZE, search: list.search || undefined } },
        }),
      ),
  })
  return (
    <Card>
      <Group justify="space-between" mb="sm">
        <TextInput
          {...search}
          aria-label={texts.searchHint}
          placeholder={texts.searchHint}
          leftSection={<IconSearch size={16} />}
          w={{ base: '100%', xs: 320 }}
        />
        <Button leftSection={<IconPlus size={16} />} onClick={() => setIsOpen(true)}>
          {texts.add}
        </Button>
      </Group>
      <Loaded query={shops}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <EmptyState
              title={texts.emptyTitle}
              hint={list.search === '' ? texts.emptyHint : words.nothingFound}
            />
          ) : (
            <>
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{texts.name}</Table.Th>
                    <Table.Th>{words.createdAt}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {data.map((shop) => (
                    <Table.Tr key={shop._id}>
                      <Table.Td>
                        <Anchor
                          component={Link}
                          to={`/operator/shops/${shop._id}`}
                          fw={500}
                          size="sm"
                          c="inherit"
                        >
                          {shop.name}
                        </Anchor>
                      </Table.Td>
                      <Table.Td>
                        <When at={shop.createdAt} />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
              <Turn page={meta.page} hasMore={meta.hasMore} onPage={(page) => setList({ page })} />
            </>
          )
        }
      </Loaded>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title={texts.add} closeOnClickOutside={false}>
        <NewShop />
      </Modal>
    </Card>
  )
}

/** A new shop; then its first key, once, and the way to the rest of it. */
function NewShop() {
  const { shops: texts } = useTexts(operatorTexts)
  const { create } = useTexts(common)
  const form = useForm({ initialValues: { name: '' } })
  const making = useAction({
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
    <form
      onSubmit={form.onSubmit((values) =>
        making.mutate(values, {
          onError: (error) => error instanceof Problem && form.setErrors(error.fields),
        }),
      )}
    >
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
