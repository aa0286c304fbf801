import { Anchor } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import type { AuditEntry } from '../../../api/rows.ts'
import { Select } from '../../../components/forms/select/select.tsx'
import type { Column } from '../../../components/lists/data-table.tsx'
import { List } from '../../../components/lists/list.tsx'
import { ListFilters } from '../../../components/lists/list-filters.tsx'
import { useListState } from '../../../components/lists/list-state.ts'
import { Card } from '../../../components/page.tsx'
import { When } from '../../../components/values.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { AuditDetail } from './audit-detail.tsx'
import { auditLogTexts } from './audit-log-texts.ts'

/** Every change through the management API in all shops, newest first. */
export function Audit() {
  const texts = useTexts(auditLogTexts)
  const [list, setList] = useListState({ page: 1, size: 50, action: '' })
  const columns = useColumns()
  type Action = keyof typeof texts.actions
  const isAction = (text: string): text is Action => text in texts.actions
  const action = isAction(list.action) ? list.action : undefined
  const applied =
    action === undefined
      ? []
      : [{ name: `${texts.action}: ${texts.actions[action]}`, without: { action: '' } }]
  const entries = useQuery({
    queryKey: ['operator', 'audit', list],
    placeholderData: keepPreviousData,
    queryFn: () =>
      dataOf(
        api.GET('/api/manage/v1/audit', {
          params: { query: { page: list.page, limit: list.size, action } },
        }),
      ),
  })
  return (
    <Card>
      <ListFilters applied={applied} setList={setList}>
        <Select
          aria-label={texts.action}
          value={list.action}
          allowDeselect={false}
          searchable
          onChange={(next) => setList({ action: next ?? '' })}
          data={[
            { value: '', label: texts.allActions },
            ...Object.entries(texts.actions).map(([value, label]) => ({ value, label })),
          ]}
          maw={300}
        />
      </ListFilters>
      <List
        query={entries}
        rowsOf={({ data }) => data}
        lengthOf={({ meta }) => meta}
        columns={columns}
        state={list}
        setState={setList}
        isFiltered={list.action !== ''}
        empty={{ title: texts.emptyTitle, hint: texts.emptyHint }}
      />
    </Card>
  )
}

function useColumns(): Column<AuditEntry>[] {
  const texts = useTexts(auditLogTexts)
  const actions: Record<string, string> = texts.actions
  return [
    { title: texts.when, cell: ({ createdAt }) => <When at={createdAt} /> },
    { title: texts.action, cell: ({ action }) => actions[action] ?? action },
    { title: texts.who, maxWidth: 220, cell: (entry) => <Author {...entry} /> },
    { title: texts.shop, maxWidth: 260, cell: (entry) => <ShopOf {...entry} /> },
    {
      title: texts.detail,
      maxWidth: 360,
      cell: ({ detail }) => <AuditDetail detail={detail} />,
    },
  ]
}

/** A person or key by name, if there still is one. The operator's token and the service have none. */
function Author({ actor, actorName, actorEmail }: AuditEntry) {
  const texts = useTexts(auditLogTexts)
  if (actor === 'member')
    return <span title={actorEmail ?? ''}>{actorName ?? actorEmail ?? texts.goneMember}</span>
  return actorName === null ? texts.actors[actor] : `${texts.actors[actor]}: ${actorName}`
}

/** The shop that the entry concerns. An entry that outlives its shop has the id in its target. */
function ShopOf({ shopId, shopName, target }: AuditEntry) {
  const texts = useTexts(auditLogTexts)
  const id = shopId ?? target.shopId
  if (id === undefined) return null
  if (shopName === null) return <span title={id}>{texts.goneShop}</span>
  return (
    <Anchor component={Link} to={`/operator/shops/${id}`} size="sm">
      {shopName}
    </Anchor>
  )
}
