import { Anchor, Badge, Button, Group, Select, Table, Text, TextInput } from '@mantine/core'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useListState, useSearchText } from '../../components/list-state.ts'
import { Card, EmptyState, Loaded, Page } from '../../components/page.tsx'
import { Pager } from '../../components/pager.tsx'
import { When } from '../../components/values.tsx'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import type { Article } from './article-query.ts'
import { newsTexts } from './texts.ts'

const PAGE_SIZE = 20

export function News() {
  const texts = useTexts(newsTexts)
  const { nothingFound } = useTexts(common)
  const { canWrite } = useSession()
  const [list, setList] = useListState({ page: 1, search: '', status: '' })
  const search = useSearchText(list.search, (text) => setList({ search: text }))
  const news = useQuery({
    queryKey: ['news', 'list', list],
    placeholderData: keepPreviousData,
    queryFn: () =>
      dataOf(
        api.GET('/api/external/news', {
          params: {
            query: {
              page: list.page,
              limit: PAGE_SIZE,
              search: list.search || undefined,
              status: list.status === 'active' || list.status === 'inactive' ? list.status : undefined,
            },
          },
        }),
      ),
  })
  const isFiltered = list.search !== '' || list.status !== ''
  const addButton = canWrite && (
    <Button component={Link} to="/news/new" leftSection={<IconPlus size={16} />}>
      {texts.add}
    </Button>
  )

  return (
    <Page title={texts.title} actions={addButton}>
      <Card>
        <Group mb="sm">
          <TextInput
            {...search}
            aria-label={texts.searchHint}
            placeholder={texts.searchHint}
            leftSection={<IconSearch size={16} />}
            w={{ base: '100%', xs: 320 }}
          />
          <StatusFilter value={list.status} onChange={(status) => setList({ status })} />
        </Group>
        <Loaded query={news}>
          {({ data }) =>
            data.news.length === 0 ? (
              <EmptyState
                title={texts.emptyTitle}
                hint={isFiltered ? nothingFound : texts.emptyHint}
                action={!isFiltered && addButton}
              />
            ) : (
              <>
                <NewsTable articles={data.news} />
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

function NewsTable({ articles }: { articles: Article[] }) {
  const texts = useTexts(newsTexts)
  const { status, updatedAt } = useTexts(common)
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.headline}</Table.Th>
            <Table.Th>{status}</Table.Th>
            <Table.Th ta="right">{texts.related}</Table.Th>
            <Table.Th>{updatedAt}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {articles.map((article) => (
            <Table.Tr key={article._id}>
              <Table.Td maw={480}>
                <Anchor component={Link} to={`/news/${article._id}`} fw={500} size="sm" c="inherit">
                  {article.title}
                </Anchor>
                <Text size="sm" c="dimmed" lineClamp={1}>
                  {article.shortContent}
                </Text>
              </Table.Td>
              <Table.Td>
                <Badge variant="light" color={article.status === 'active' ? 'teal' : 'gray'} autoContrast>
                  {texts.statuses[article.status]}
                </Badge>
              </Table.Td>
              <Table.Td className="num">{article.items.length}</Table.Td>
              <Table.Td>
                <When at={article.updatedAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
