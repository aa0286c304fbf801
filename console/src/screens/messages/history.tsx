import { Anchor, Badge, Group, Select, Table, Text, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useListState, useSearchText } from '../../components/list-state.ts'
import { Card, EmptyState, Loaded } from '../../components/page.tsx'
import { Pager } from '../../components/pager.tsx'
import { When } from '../../components/values.tsx'
import { endOfDay, startOfDay } from '../../format.ts'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { MessagesFrame } from './frame.tsx'
import { type MessageRecord, type MessageState, reasonOf } from './message-record.ts'
import { allTemplatesQuery } from './queries.ts'
import { messageTexts } from './texts.ts'

const PAGE_SIZE = 20
const REFRESH_MS = 10_000
const DEFAULTS = { page: 1, phone: '', template: '', status: '', from: '', to: '' }
type Filters = typeof DEFAULTS

export function Messages() {
  const texts = useTexts(messageTexts)
  const { nothingFound } = useTexts(common)
  const [list, setList] = useListState(DEFAULTS)
  const { page, phone, template, status, from, to } = list
  const isFiltered = [phone, template, status, from, to].some((value) => value !== '')
  const history = useQuery({
    queryKey: ['messages', 'history', list],
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
    queryFn: () =>
      dataOf(
        api.GET('/api/external/notify-message/history', {
          params: {
            query: {
              page,
              offset: PAGE_SIZE,
              // The address may hold a number where a phone was meant.
              phone: String(phone) || undefined,
              templateId: String(template) || undefined,
              status: (status as MessageRecord['status']) || undefined,
              from: from === '' ? undefined : startOfDay(from),
              to: to === '' ? undefined : endOfDay(to),
            },
          },
        }),
      ),
  })
  return (
    <MessagesFrame>
      <Card>
        <FilterFields list={list} setList={setList} />
        <Loaded query={history}>
          {({ histories, meta }) =>
            histories.length === 0 ? (
              <EmptyState title={texts.emptyTitle} hint={isFiltered ? nothingFound : texts.emptyHint} />
            ) : (
              <>
                <HistoryTable histories={histories} />
                <Pager
                  page={page}
                  pageSize={PAGE_SIZE}
                  total={meta.total}
                  onPage={(next) => setList({ page: next })}
                />
              </>
            )
          }
        </Loaded>
      </Card>
    </MessagesFrame>
  )
}

function FilterFields({ list, setList }: { list: Filters; setList: (change: Partial<Filters>) => void }) {
  const texts = useTexts(messageTexts)
  const words = useTexts(common)
  const phone = useSearchText(String(list.phone), (text) => setList({ phone: text.trim() }))
  const templates = useQuery(allTemplatesQuery)
  const numbered = (templates.data?.templates ?? []).filter(({ templateId }) => templateId !== undefined)
  return (
    <Group mb="sm" align="flex-end" gap="sm">
      <TextInput label={words.phone} type="tel" w={160} {...phone} />
      <Select
        label={texts.template}
        clearable
        searchable
        w={220}
        data={numbered.map(({ templateId, name }) => ({ value: templateId!, label: name }))}
        value={list.template === '' ? null : String(list.template)}
        onChange={(template) => setList({ template: template ?? '' })}
      />
      <Select
        label={words.status}
        w={150}
        data={[
          { value: '', label: words.all },
          { value: 'RECEIVED', label: texts.statuses.RECEIVED },
          { value: 'ERROR', label: texts.statuses.ERROR },
        ]}
        allowDeselect={false}
        value={list.status}
        onChange={(status) => setList({ status: status ?? '' })}
      />
      <TextInput
        label={words.from}
        type="date"
        value={list.from}
        onChange={(event) => setList({ from: event.currentTarget.value })}
      />
      <TextInput
        label={words.to}
        type="date"
        value={list.to}
        onChange={(event) => setList({ to: event.currentTarget.value })}
      />
    </Group>
  )
}

function HistoryTable({ histories }: { histories: MessageRecord[] }) {
  const texts = useTexts(messageTexts)
  const words = useTexts(common)
  const templates = useQuery(allTemplatesQuery)
  const nameOf = (number: string) =>
    templates.data?.templates.find(({ templateId }) => templateId === number)?.name ?? number
  return (
    <Table.ScrollContainer minWidth={760}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.recipient}</Table.Th>
            <Table.Th>{texts.template}</Table.Th>
            <Table.Th>{words.status}</Table.Th>
            <Table.Th>{texts.reason}</Table.Th>
            <Table.Th>{texts.when}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {histories.map((message) => (
            <Table.Tr key={message._id}>
              <Table.Td>
                <Anchor component={Link} to={`/messages/${message._id}`} size="sm">
                  {recipientOf(message)}
                </Anchor>
              </Table.Td>
              <Table.Td>{nameOf(message.templateId)}</Table.Td>
              <Table.Td>
                <StateBadge state={message.status} />
              </Table.Td>
              <Table.Td maw={320}>
                <Text size="sm">{reasonOf(message.reason)?.error}</Text>
              </Table.Td>
              <Table.Td>
                <When at={message.createdAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

export function recipientOf({ phone, userUID = '' }: { phone: string; userUID?: string }): string {
  return phone === '' ? `UID ${userUID}` : phone
}

const COLOURS = { QUEUED: 'gray', SENDING: 'cyan', UNKNOWN: 'yellow', RECEIVED: 'teal', ERROR: 'red' }

export function StateBadge({ state }: { state: MessageState }) {
  const { statuses } = useTexts(messageTexts)
  return (
    <Badge variant="light" color={COLOURS[state]} autoContrast>
      {statuses[state]}
    </Badge>
  )
}
