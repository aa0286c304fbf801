import { Anchor, Box, Button, Tabs, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Article } from '../../api/rows.ts'
import { Badge } from '../../components/badge.tsx'
import { useCommonApplied } from '../../components/lists/applied.tsx'
import type { Column } from '../../components/lists/data-table.tsx'
import { List } from '../../components/lists/list.tsx'
import { ListFilters } from '../../components/lists/list-filters.tsx'
import { useListState } from '../../components/lists/list-state.ts'
import { SearchField } from '../../components/lists/search-field.tsx'
import { directionOf, fieldOf, sortingOf } from '../../components/lists/sorting/sorting.ts'
import { Card, Page } from '../../components/page.tsx'
import { TabList } from '../../components/tab-list.tsx'
import { When } from '../../components/values.tsx'
import { formatNumber } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { DRAFTS, draftListQuery } from './drafts/draft.ts'
import { DraftList } from './drafts/draft-list.tsx'
import { draftTexts } from './drafts/draft-texts.ts'
import { newsTexts } from './texts.ts'

const ALL = 'all'
const SORTS = ['createdAt', 'updatedAt', 'title'] as const

export function News() {
  const texts = useTexts(newsTexts)
  const words = useTexts(common)
  const { canWrite } = useSession()
  const { tab } = useTexts(draftTexts)
  const { language } = useLanguage()
  const [list, setList] = useListState({ page: 1, size: 20, search: '', status: ALL, sort: '' })
  const drafts = useQuery(draftListQuery)
  const columns = useColumns()
  const sorting = sortingOf(columns, list.sort, setList)
  const status = list.status === 'active' || list.status === 'inactive' ? list.status : undefined
  const applied = useCommonApplied(list)
  const count = drafts.data?.length ?? 0
  const tabs = [
    { value: ALL, label: texts.published },
    { value: 'active', label: texts.statuses.active },
    { value: 'inactive', label: texts.statuses.inactive },
    {
      value: DRAFTS,
      label: count === 0 ? tab : <Counted name={tab} count={formatNumber(count, language)} />,
    },
  ].map((one) => ({ ...one, controls: 'news-by-status' }))
  const news = useQuery({
    queryKey: ['news', 'list', list],
    enabled: list.status !== DRAFTS,
    placeholderData: keepPreviousData,
    queryFn: () =>
      dataOf(
        api.GET('/api/external/news', {
          params: {
            query: {
              page: list.page,
              limit: list.size,
              search: list.search || undefined,
              status,
              sortBy: SORTS.find((one) => one === fieldOf(sorting.order)),
              sortType: directionOf(sorting.order),
            },
          },
        }),
      ),
  })
  const addButton = canWrite && (
    <Button component={Link} to="/news/new" leftSection={<IconPlus size={16} />}>
      {texts.add}
    </Button>
  )

  return (
    <Page title={texts.title} actions={addButton}>
      <Card>
        <Tabs value={list.status} onChange={(value) => setList({ status: value ?? ALL })} mb="sm">
          <TabList value={list.status} tabs={tabs} aria-label={words.status} />
        </Tabs>
        <Box id="news-by-status">
          {list.status === DRAFTS ? (
            <DraftList add={addButton} />
          ) : (
            <>
              <ListFilters name="news" applied={applied} setList={setList}>
                <SearchField
                  value={list.search}
                  onSearch={(text) => setList({ search: text })}
                  hint={texts.searchHint}
                  maw={360}
                />
              </ListFilters>
              <List
                name="news"
                query={news}
                rowsOf={({ data }) => data.news}
                lengthOf={({ data }) => data.meta}
                columns={columns}
                state={list}
                setState={setList}
                sizes={[20, 50]}
                isFiltered={list.search !== '' || status !== undefined}
                empty={{ title: texts.emptyTitle, hint: texts.emptyHint, action: addButton }}
                sorting={sorting}
              />
            </>
          )}
        </Box>
      </Card>
    </Page>
  )
}

/** A tab's name, and the number of records in it. */
function Counted({ name, count }: { name: string; count: string }) {
  return (
    <>
      {name}{' '}
      <Text span c="dimmed" size="sm">
        {count}
      </Text>
    </>
  )
}

function useColumns(): Column<Article>[] {
  const texts = useTexts(newsTexts)
  const { status, updatedAt } = useTexts(common)
  return [
    {
      title: texts.headline,
      sort: { by: 'title', of: 'text' },
      height: 41,
      maxWidth: 480,
      cell: (article) => (
        <>
          <Anchor component={Link} to={`/news/${article._id}`} fw={500} size="sm">
            {article.title}
          </Anchor>
          <Text size="sm" c="dimmed" lineClamp={1}>
            {article.shortContent}
          </Text>
        </>
      ),
    },
    {
      id: 'status',
      title: status,
      cell: (article) => (
        <Badge tone={article.status === 'active' ? 'good' : 'quiet'}>{texts.statuses[article.status]}</Badge>
      ),
    },
    { id: 'related', title: texts.related, isNumber: true, cell: ({ items }) => items.length },
    {
      id: 'updatedAt',
      title: updatedAt,
      sort: { by: 'updatedAt', of: 'time' },
      cell: (article) => <When at={article.updatedAt} />,
    },
  ]
}
