import { Anchor } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { DownloadButton } from '../../components/download-button.tsx'
import { DateInput } from '../../components/forms/date-input.tsx'
import { Select } from '../../components/forms/select/select.tsx'
import { type Applied, useCommonApplied } from '../../components/lists/applied.tsx'
import { bulkTexts } from '../../components/lists/bulk/bulk-texts.ts'
import { useSelection } from '../../components/lists/bulk/selection.ts'
import type { Column } from '../../components/lists/data-table.tsx'
import { FoldedFields } from '../../components/lists/folded-fields.tsx'
import { List } from '../../components/lists/list.tsx'
import { ListFilters } from '../../components/lists/list-filters.tsx'
import { useListState } from '../../components/lists/list-state.ts'
import { SearchField } from '../../components/lists/search-field.tsx'
import { directionOf, sortingOf } from '../../components/lists/sorting/sorting.ts'
import { Card } from '../../components/page.tsx'
import { When } from '../../components/values.tsx'
import { endOfDay, formatTime, startOfDay } from '../../format.ts'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { useBatchName } from './batches/use-batch-name.ts'
import { MessagesFrame } from './frame.tsx'
import { recipientOf, StateBadge } from './message-parts.tsx'
import { type MessageRecord, reasonOf, stateOf } from './message-record.ts'
import { allTemplatesQuery, batchQuery } from './queries.ts'
import { messageTexts } from './texts.ts'

const REFRESH_MS = 10_000
const DEFAULTS = {
  page: 1,
  size: 20,
  phone: '',
  template: '',
  batch: '',
  status: '',
  delivered: '',
  from: '',
  to: '',
  sort: '',
}
/** The default order: last sent first. */
const USUAL = '-sentAt'
type Filters = typeof DEFAULTS
/** Text that the service may take as a phone number. It refuses a part of one. */
const PHONE = /^((\(?\+|0|84)[\d\s.()-]{8,}\d|[1-9]\d{7,14})$/
const isPhone = (text: string) => PHONE.test(text.trim())
/** What a chosen status asks of the service. */
const ASKED_OF_STATUS: Record<string, { status?: MessageRecord['status']; cancelled?: boolean }> = {
  RECEIVED: { status: 'RECEIVED' },
  ERROR: { status: 'ERROR', cancelled: false },
  CANCELLED: { cancelled: true },
}

export function Messages() {
  const texts = useTexts(messageTexts)
  const { exportSelected } = useTexts(bulkTexts)
  const [list, setList] = useListState(DEFAULTS)
  const columns = useColumns()
  const sorting = sortingOf(columns, list.sort, setList, USUAL)
  const { page, size, phone, template, batch, status, delivered, from, to } = list
  const filter = {
    phone: isPhone(phone) ? phone.trim() : undefined,
    templateId: template || undefined,
    batchId: batch || undefined,
    ...ASKED_OF_STATUS[status],
    delivered: delivered === 'yes' ? true : undefined,
    from: from === '' ? undefined : startOfDay(from),
    to: to === '' ? undefined : endOfDay(to),
  }
  const history = useQuery({
    queryKey: ['messages', 'history', list],
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
    queryFn: () =>
      dataOf(
        api.GET('/api/external/notify-message/history', {
          params: {
            query: { page, offset: size, ...filter, sortType: directionOf(sorting.order) },
          },
        }),
      ),
  })
  const applied = useApplied(list)
  const selection = useSelection('messages', JSON.stringify(filter), useName())
  const ids = selection.rows.map(({ _id }) => _id).join()
  return (
    <MessagesFrame
      actions={
        <DownloadButton
          label={texts.export}
          fetchFile={(labels) =>
            api.GET('/api/external/notify-message/history/export', {
              params: { query: { ...filter, labels } },
              parseAs: 'blob',
            })
          }
        />
      }
    >
      <Card>
        <ListFilters name="messages" applied={applied} setList={setList}>
          <FilterFields list={list} setList={setList} applied={applied} />
        </ListFilters>
        <List
          name="messages"
          query={history}
          rowsOf={({ histories }) => histories}
          lengthOf={({ meta }) => meta}
          columns={columns}
          state={list}
          setState={setList}
          sizes={[20, 50, 100]}
          sorting={sorting}
          isFiltered={[filter.phone ?? '', template, batch, status, delivered, from, to].some(
            (value) => value !== '',
          )}
          empty={{ title: texts.emptyTitle, hint: texts.emptyHint }}
          bulk={{
            selection,
            actions: (
              <DownloadButton
                size="xs"
                label={exportSelected}
                fetchFile={(labels) =>
                  api.GET('/api/external/notify-message/history/export', {
                    params: { query: { ids, labels } },
                    parseAs: 'blob',
                  })
                }
              />
            ),
          }}
        />
      </Card>
    </MessagesFrame>
  )
}

/** The applied filters in words; a template and a batch by their names once those have loaded. */
function useApplied(list: Filters): Applied<Filters>[] {
  const texts = useTexts(messageTexts)
  const words = useTexts(common)
  const nameOf = useTemplateName()
  const days = useCommonApplied(list)
  const { phone, template, batch, status, delivered } = list
  const batchName = useBatchName()
  const { data: chosen } = useQuery({ ...batchQuery(batch), enabled: batch !== '' })
  const statuses: Record<string, string> = texts.statuses
  return [
    ...(!isPhone(phone) ? [] : [{ name: `${words.phone}: ${phone}`, without: { phone: '' } }]),
    ...(template === ''
      ? []
      : [{ name: `${texts.template}: ${nameOf(template)}`, without: { template: '' } }]),
    ...(batch === ''
      ? []
      : [
          {
            name: `${texts.batch}: ${chosen === undefined ? '…' : batchName(chosen.data)}`,
            without: { batch: '' },
          },
        ]),
    ...(status === ''
      ? []
      : [{ name: `${words.status}: ${statuses[status] ?? ''}`, without: { status: '' } }]),
    ...(delivered === 'yes' ? [{ name: texts.onlyDelivered, without: { delivered: '' } }] : []),
    ...days,
  ]
}

/** The recipient and the time, since one person may have many messages. */
function useName(): (message: MessageRecord) => string {
  const { language } = useLanguage()
  return useCallback(
    (message) => `${recipientOf(message)}, ${formatTime(message.createdAt, language)}`,
    [language],
  )
}

function useTemplateName(): (number: string) => string {
  const templates = useQuery(allTemplatesQuery)
  return (number) => templates.data?.templates.find(({ templateId }) => templateId === number)?.name ?? number
}

function FilterFields(props: {
  list: Filters
  setList: (change: Partial<Filters>) => void
  applied: Applied<Filters>[]
}) {
  const { list, setList, applied } = props
  const texts = useTexts(messageTexts)
  const words = useTexts(common)
  const templates = useQuery(allTemplatesQuery)
  const numbered = (templates.data?.templates ?? []).filter(({ templateId }) => templateId !== undefined)
  return (
    <FoldedFields
      applied={applied}
      search={
        <SearchField
          label={words.phone}
          type="tel"
          maw={{ base: 'none', sm: 180 }}
          error={list.phone.trim() !== '' && !isPhone(list.phone) && texts.wholePhone}
          value={list.phone}
          onSearch={(phone) => setList({ phone })}
        />
      }
    >
      <Select
        label={texts.template}
        clearable
        searchable
        w={{ sm: 220 }}
        data={numbered.map(({ templateId, name }) => ({ value: templateId!, label: name }))}
        value={list.template || null}
        onChange={(template) => setList({ template: template ?? '' })}
      />
      <Select
        label={words.status}
        w={{ sm: 150 }}
        data={[
          { value: '', label: words.all },
          { value: 'RECEIVED', label: texts.statuses.RECEIVED },
          { value: 'ERROR', label: texts.statuses.ERROR },
          { value: 'CANCELLED', label: texts.statuses.CANCELLED },
        ]}
        allowDeselect={false}
        value={list.status}
        onChange={(status) => setList({ status: status ?? '' })}
      />
      <DateInput
        label={words.from}
        miw={0}
        w={{ sm: 172 }}
        value={list.from}
        onChange={(from) => setList({ from })}
      />
      <DateInput
        label={words.to}
        miw={0}
        w={{ sm: 172 }}
        value={list.to}
        onChange={(to) => setList({ to })}
      />
    </FoldedFields>
  )
}

function useColumns(): Column<MessageRecord>[] {
  const texts = useTexts(messageTexts)
  const words = useTexts(common)
  const nameOf = useTemplateName()
  return [
    {
      title: texts.recipient,
      cell: (message) => (
        <Anchor component={Link} to={`/messages/${message._id}`} size="sm">
          {recipientOf(message)}
        </Anchor>
      ),
    },
    { id: 'template', title: texts.template, inCard: 'line', cell: ({ templateId }) => nameOf(templateId) },
    {
      id: 'status',
      title: words.status,
      inCard: 'end',
      cell: (message) => <StateBadge state={stateOf(message)} />,
    },
    {
      id: 'reason',
      title: texts.reason,
      maxWidth: 320,
      inCard: 'line',
      cell: ({ reason }) => reasonOf(reason)?.error,
    },
    {
      id: 'when',
      title: texts.when,
      inCard: 'line',
      sort: { by: 'sentAt', of: 'time' },
      cell: ({ createdAt }) => <When at={createdAt} />,
    },
  ]
}
