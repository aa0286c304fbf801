import { Anchor, Button, Group, Select, Text } from '@mantine/core'
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
import { Card, Page } from '../../components/page.tsx'
import { When } from '../../components/values.tsx'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { newsTexts } from './texts.ts'

export function News() {
  const texts = useTexts(newsTexts)
  const words = useTexts(common)
  const { canWrite } = useSession()
  const [list, setList] = useListState({ page: 1, size: 20, search: '', status: '' })
  const columns = useColumns()
  const status = list.status === 'active' || list.status === 'inactive' ? list.status : undefined
  const applied = [
    ...useCommonApplied(list),
    ...(status === undefined
      ? []
      : [{ name: `${words.status}: ${texts.statuses[status]}`, without: { status: '' } }]),
  ]
  const news = useQuery({
    queryKey: ['news', 'list', list],
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
        <ListFilters applied={applied} setList={setList}>
          <Group>
            <SearchField
              value={list.search}
              onSearch={(text) => setList({ search: text })}
              hint={texts.searchHint}
              w={{ base: '100%', xs: 320 }}
            />
            <StatusFilter value={list.status} onChange={(status) => setList({ status })} />
          </Group>
        </ListFilters>
        <List
          query={news}
          rowsOf={({ data }) => data.news}
          lengthOf={({ data }) => data.meta}
          columns={columns}
          state={list}
          setState={setList}
          sizes={[20, 50]}
          isFiltered={list.search !== '' || list.status !== ''}
          empty={{ title: texts.emptyTitle, hint: texts.emptyHint, action: addButton }}
        />
      </Card>
    </Page>
  )
}

function StatusFilter({ value, onChange }: { value: string; onChange: (status: string) => void }) {
  const texts = useTexts(newsTexts)
  const { status } = useTexts(common)
  return (
    <Select
      aria-label={status}
      value={value}
      allowDeselect={false}
      onChange={(next) => onChange(next ?? '')}
      data={[
        { value: '', label: texts.allStatuses },
        { value: 'active', label: texts.statuses.active },
        { value: 'inactive', label: texts.statuses.inactive },
      ]}
      w={{ base: '100%', xs: 180 }}
    />
  )
}

function useColumns(): Column<Article>[] {
  const texts = useTexts(newsTexts)
  const { status, updatedAt } = useTexts(common)
  return [
    {
      title: texts.headline,
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
      title: status,
      cell: (article) => (
        <Badge tone={article.status === 'active' ? 'good' : 'quiet'}>{texts.statuses[article.status]}</Badge>
      ),
    },
    { title: texts.related, isNumber: true, cell: ({ items }) => items.length },
    { title: updatedAt, cell: (article) => <When at={article.updatedAt} /> },
  ]
}
