import { Anchor, Box, Button, Group, Stack, Tabs, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useCommonApplied } from '../../components/lists/applied.tsx'
import type { Column } from '../../components/lists/data-table.tsx'
import { List } from '../../components/lists/list.tsx'
import { ListFilters } from '../../components/lists/list-filters.tsx'
import { useListState } from '../../components/lists/list-state.ts'
import { SearchField } from '../../components/lists/search-field.tsx'
import { directionOf, fieldOf, sortingOf } from '../../components/lists/sorting/sorting.ts'
import { Card, Page } from '../../components/page.tsx'
import { TabList } from '../../components/tab-list.tsx'
import { Money, When } from '../../components/values.tsx'
import { formatNumber } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import type { Status, Template } from './editor/draft.ts'
import { StatusBadge } from './status-badge.tsx'
import { reasonsOf } from './status-note.tsx'
import { templateTexts } from './texts.ts'
import { unfinishedListQuery } from './unfinished/unfinished.ts'
import { UnfinishedList } from './unfinished/unfinished-list.tsx'
import { unfinishedTexts } from './unfinished/unfinished-texts.ts'

const REFRESH_MS = 10_000
const ALL = 'ALL'
/** The tab of unfinished templates. */
const UNFINISHED = 'UNFINISHED'
const SORTS = ['createdAt', 'updatedAt', 'name'] as const

export function Templates() {
  const texts = useTexts(templateTexts)
  const { all } = useTexts(common)
  const { canWrite } = useSession()
  const [list, setList] = useListState({ page: 1, size: 20, search: '', status: ALL, sort: '' })
  const { tab } = useTexts(unfinishedTexts)
  const { language } = useLanguage()
  const count = useQuery(unfinishedListQuery).data?.data.length ?? 0
  const names: Record<string, string> = { [ALL]: all, [UNFINISHED]: tab }
  const applied = useCommonApplied(list)
  const columns = useColumns()
  const sorting = sortingOf(columns, list.sort, setList)
  const templates = useQuery({
    queryKey: ['templates', 'list', list],
    enabled: list.status !== UNFINISHED,
    placeholderData: keepPreviousData,
    // The review's decision comes from the platform, so the list changes by itself.
    refetchInterval: REFRESH_MS,
    queryFn: () =>
      dataOf(
        api.GET('/api/external/notify-template', {
          params: {
            query: {
              page: list.page,
              size: list.size,
              search: list.search || undefined,
              status: list.status === ALL ? undefined : (list.status as Status),
              sortBy: SORTS.find((one) => one === fieldOf(sorting.order)),
              sortType: directionOf(sorting.order),
            },
          },
        }),
      ),
  })
  const add = canWrite && (
    <Button component={Link} to="/templates/new" leftSection={<IconPlus size={16} />}>
      {texts.add}
    </Button>
  )

  return (
    <Page title={texts.title} term="template" actions={add}>
      <Card>
        <Tabs value={list.status} onChange={(status) => setList({ status: status ?? ALL })} mb="sm">
          <TabList
            value={list.status}
            tabs={[ALL, UNFINISHED, ...Object.keys(texts.statuses)].map((status) => ({
              value: status,
              label:
                status === UNFINISHED && count > 0 ? (
                  <>
                    {tab}{' '}
                    <Text span c="dimmed" size="sm">
                      {formatNumber(count, language)}
                    </Text>
                  </>
                ) : (
                  (names[status] ?? texts.statuses[status as Status])
                ),
              controls: 'templates-by-status',
            }))}
            aria-label={texts.byStatus}
          />
        </Tabs>
        <Box id="templates-by-status">
          {list.status === UNFINISHED ? (
            <UnfinishedList />
          ) : (
            <>
              <ListFilters name="templates" applied={applied} setList={setList}>
                <SearchField
                  value={list.search}
                  onSearch={(text) => setList({ search: text })}
                  hint={texts.searchHint}
                  maw={360}
                />
              </ListFilters>
              <List
                name="templates"
                query={templates}
                rowsOf={(data) => data.templates}
                lengthOf={({ meta }) => meta}
                columns={columns}
                state={list}
                setState={setList}
                sizes={[20, 50, 100]}
                isFiltered={list.search !== '' || list.status !== ALL}
                empty={{ title: texts.emptyTitle, hint: texts.emptyHint, action: add }}
                sorting={sorting}
              />
            </>
          )}
        </Box>
      </Card>
    </Page>
  )
}

function useColumns(): Column<Template>[] {
  const texts = useTexts(templateTexts)
  const words = useTexts(common)
  return [
    {
      title: words.name,
      sort: { by: 'name', of: 'text' },
      height: 37,
      maxWidth: 380,
      cell: (template) => (
        <>
          <Anchor component={Link} to={`/templates/${template._id}`} fw={500} size="sm">
            {template.name}
          </Anchor>
          <Text size="xs" c="dimmed" truncate>
            {template.title}
          </Text>
        </>
      ),
    },
    {
      id: 'status',
      title: words.status,
      maxWidth: 300,
      cell: (template) => <StatusCell template={template} />,
    },
    {
      id: 'type',
      title: texts.type,
      cell: (template) => (
        <>
          {texts.types[template.templateType]}
          <Text size="xs" c="dimmed">
            {texts.tags[template.tag]}
          </Text>
        </>
      ),
    },
    { id: 'price', title: texts.price, isNumber: true, cell: ({ price }) => <Money vnd={price} /> },
    {
      id: 'updatedAt',
      title: words.updatedAt,
      sort: { by: 'updatedAt', of: 'time' },
      cell: (template) => <When at={template.updatedAt} />,
    },
  ]
}

function StatusCell({ template }: { template: Template }) {
  const texts = useTexts(templateTexts)
  const { canWrite } = useSession()
  const { _id, status, rejectReason } = template
  return (
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
  )
}
