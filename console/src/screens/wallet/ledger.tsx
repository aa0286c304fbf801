import { Anchor } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { WalletEntry } from '../../api/rows.ts'
import { Badge } from '../../components/badge.tsx'
import type { Column } from '../../components/lists/data-table.tsx'
import { List } from '../../components/lists/list.tsx'
import { useListState } from '../../components/lists/list-state.ts'
import { Card } from '../../components/page.tsx'
import { Money, When } from '../../components/values.tsx'
import { useTexts } from '../../texts/language.tsx'
import { Statement } from './statement.tsx'
import { walletTexts } from './texts.ts'

const TONES = {
  top_up: 'good',
  correction: 'busy',
  hold: 'warn',
  capture: 'busy',
  release: 'quiet',
  late_capture: 'warn',
  sms_hold: 'warn',
  sms_capture: 'busy',
  sms_release: 'quiet',
} as const

/** Every change of the balance and of the held amount, newest first. */
export function Ledger() {
  const texts = useTexts(walletTexts)
  const [list, setList] = useListState({ page: 1, size: 50 })
  const columns = useColumns()
  const entries = useQuery({
    queryKey: ['wallet', 'entries', list],
    placeholderData: keepPreviousData,
    queryFn: () =>
      dataOf(
        api.GET('/api/external/wallet/entries', {
          params: { query: { page: list.page, limit: list.size } },
        }),
      ),
  })
  return (
    <Card title={texts.ledger} term="ledger" actions={<Statement />}>
      <List
        name="wallet"
        query={entries}
        rowsOf={({ entries: rows }) => rows}
        lengthOf={({ meta }) => meta}
        columns={columns}
        state={list}
        setState={setList}
        empty={{ title: texts.emptyTitle, hint: texts.emptyHint }}
      />
    </Card>
  )
}

function useColumns(): Column<WalletEntry>[] {
  const texts = useTexts(walletTexts)
  return [
    { title: texts.when, cell: ({ createdAt }) => <When at={createdAt} /> },
    {
      id: 'type',
      title: texts.type,
      inCard: 'end',
      cell: ({ type }) => <Badge tone={TONES[type]}>{texts.types[type]}</Badge>,
    },
    { id: 'amount', title: texts.amount, isNumber: true, cell: ({ amount }) => <Money vnd={amount} /> },
    {
      id: 'heldChange',
      title: texts.heldChange,
      isNumber: true,
      cell: ({ heldChange }) => <Money vnd={heldChange} />,
    },
    {
      id: 'balanceAfter',
      title: texts.balanceAfter,
      isNumber: true,
      cell: ({ balanceAfter }) => <Money vnd={balanceAfter} />,
    },
    {
      id: 'note',
      title: texts.note,
      cell: ({ messageId, note }) =>
        messageId === null ? (
          note
        ) : (
          <Anchor component={Link} to={`/messages/${messageId}`} size="sm">
            {texts.message}
          </Anchor>
        ),
    },
  ]
}
