import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { type Column, DataTable } from '../../components/lists/data-table.tsx'
import { EmptyState, Loaded } from '../../components/page.tsx'
import { When } from '../../components/values.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { StateBadge } from '../messages/message-parts.tsx'
import { type MessageRecord, stateOf } from '../messages/message-record.ts'
import { allTemplatesQuery } from '../messages/queries.ts'
import { messageTexts } from '../messages/texts.ts'
import { customerTexts } from './texts.ts'

const SHOWN = 10

/** The last messages sent to the customer's number. */
export function CustomerMessages({ phone }: { phone: string }) {
  const texts = useTexts(customerTexts)
  const columns = useColumns()
  const history = useQuery({
    queryKey: ['messages', 'of', phone],
    queryFn: () =>
      dataOf(
        api.GET('/api/external/notify-message/history', {
          params: { query: { page: 1, offset: SHOWN, phone } },
        }),
      ),
  })
  return (
    <Loaded query={history}>
      {({ histories }) =>
        histories.length === 0 ? (
          <EmptyState title={texts.noMessages} hint={texts.noMessagesHint} />
        ) : (
          <DataTable columns={columns} rows={histories} keyOf={({ _id }) => _id} />
        )
      }
    </Loaded>
  )
}

function useColumns(): Column<MessageRecord>[] {
  const texts = useTexts(messageTexts)
  const { status } = useTexts(common)
  const templates = useQuery(allTemplatesQuery)
  const nameOf = (number: string) =>
    templates.data?.templates.find(({ templateId }) => templateId === number)?.name ?? number
  return [
    {
      title: texts.template,
      cell: (message) => (
        <Anchor component={Link} to={`/messages/${message._id}`} size="sm">
          {nameOf(message.templateId)}
        </Anchor>
      ),
    },
    { title: status, cell: (message) => <StateBadge state={stateOf(message)} /> },
    { title: texts.when, cell: ({ createdAt }) => <When at={createdAt} /> },
  ]
}
