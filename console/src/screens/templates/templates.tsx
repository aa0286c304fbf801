import { Anchor, Box, Button, Group, Stack, Table, Tabs, Text, TextInput } from '@mantine/core'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useListState, useSearchText } from '../../components/list-state.ts'
import { Card, EmptyState, Loaded, Page } from '../../components/page.tsx'
import { Pager } from '../../components/pager.tsx'
import { Money, When } from '../../components/values.tsx'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import type { Status, Template } from './draft.ts'
import { StatusBadge } from './status-badge.tsx'
import { reasonsOf } from './status-note.tsx'
import { templateTexts } from './texts.ts'

const PAGE_SIZE = 20
const REFRESH_MS = 10_000
const ALL = 'ALL'

export function Templates() {
  const texts = useTexts(templateTexts)
  const { all, nothingFound } = useTexts(common)
  const { canWrite } = useSession()
  const [list, setList] = useListState({ page: 1, search: '', status: ALL })
  const search = useSearchText(list.search, (text) => setList({ search: text }))
  const templates = useQuery({
    queryKey: ['templates', 'list', list],
    placeholderData: keepPreviousData,
    // The review's decision comes from outside.
    refetchInterval: REFRESH_MS,
    queryFn: () =>
      dataOf(
        api.GET('/api/external/notify-template', {
          params: {
            query: {
              page: list.page,
              size: PAGE_SIZE,
              search: list.search || undefined,
              status: list.status === ALL ? undefined : (list.status as Status),
            },
          },
        }),
      ),
  })
  const isFiltered = list.search !== '' || list.status !== ALL
  const add = canWrite && (
    <Button component={Link} to="/templates/new" leftSection={<IconPlus size={16} />}>
      {texts.add}
    </Button>
  )

  return (
    <Page title={texts.title} actions={add}>
      <Card>
        <Tabs
          value={list.status}
          onChange={(status) => setList({ status: status ?? ALL })}
          mb="sm"
          variant="outline"
        >
          <Tabs.List aria-label={texts.byStatus}>
            {[ALL, ...Object.keys(texts.statuses)].map((status) => (
              <Tabs.Tab key={status} value={status} aria-controls="templates-by-status">
                {status === ALL ? all : texts.statuses[status as Status]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
        <TextInput
          {...search}
          aria-label={texts.searchHint}
          placeholder={texts.searchHint}
          leftSection={<IconSearch size={16} />}
          mb="sm"
          maw={360}
        />
        <Box id="templates-by-status">
          <Loaded query={templates}>
            {({ templates: rows, meta }) =>
              rows.length === 0 ? (
                <EmptyState
                  title={texts.emptyTitle}
                  hint={isFiltered ? nothingFound : texts.emptyHint}
                  action={!isFiltered && add}
                />
              ) : (
                <>
                  <TemplateTable templates={rows} />
                  <Pager
                    page={list.page}
                    pageSize={PAGE_SIZE}
                    total={meta.total}
                    onPage={(page) => setList({ page })}
                  />
                </>
              )
            }
          </Loaded>
        </Box>
      </Card>
    </Page>
  )
}

function TemplateTable({ templates }: { templates: Template[] }) {
  const texts = useTexts(templateTexts)
  const words = useTexts(common)
  return (
    <Table.ScrollContainer minWidth={760}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.name}</Table.Th>
            <Table.Th>{words.status}</Table.Th>
            <Table.Th>{texts.type}</Table.Th>
            <Table.Th ta="right">{texts.price}</Table.Th>
            <Table.Th>{words.updatedAt}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {templates.map((template) => (
            <TemplateRow key={template._id} template={template} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function TemplateRow({ template }: { template: Template }) {
  const texts = useTexts(templateTexts)
  const { canWrite } = useSession()
  const { _id, status, rejectReason } = template
  return (
    <Table.Tr>
      <Table.Td maw={380}>
        <Anchor component={Link} to={`/templates/${_id}`} fw={500} size="sm">
          {template.name}
        </Anchor>
        <Text size="xs" c="dimmed" truncate>
          {template.title}
        </Text>
      </Table.Td>
      <Table.Td maw={300}>
        <Stack gap={4} align="flex-start">
          <Group gap="xs">
            <StatusBadge status={status} />
            {status === 'REJECTED' && canWrite && (
              <Anchor component={Link} to={`/templates/${_id}`} size="xs">
                {texts.fix}
              </Anchor>
            )}
          </Group>
          {rejectReason !== undefined && <Text size="xs">{reasonsOf(rejectReason).join(' · ')}</Text>}
        </Stack>
      </Table.Td>
      <Table.Td>
        {texts.types[template.templateType]}
        <Text size="xs" c="dimmed">
          {texts.tags[template.tag]}
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        <Money vnd={template.price} />
      </Table.Td>
      <Table.Td>
        <When at={template.updatedAt} />
      </Table.Td>
    </Table.Tr>
  )
}
