import { Anchor } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { AuditEntry } from '../../api/rows.ts'
import { Select } from '../../components/forms/select/select.tsx'
import type { Column } from '../../components/lists/data-table.tsx'
import { List } from '../../components/lists/list.tsx'
import { ListFilters } from '../../components/lists/list-filters.tsx'
import { useListState } from '../../components/lists/list-state.ts'
import { Card } from '../../components/page.tsx'
import { When } from '../../components/values.tsx'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import { AuditDetail } from './audit-detail.tsx'
import { auditLogTexts } from './audit-log-texts.ts'

/** Every change through the management API in all shops, newest first. */
export function Audit() {
  const texts = useTexts(auditLogTexts)
  const shop: Column<AuditEntry> = {
    title: texts.shop,
    maxWidth: 260,
    cell: (entry) => <ShopOf {...entry} />,
  }
  return (
    <AuditLog
      actions={{ ...texts.actions, ...texts.operatorActions }}
      shop={shop}
      read={(query) => api.GET('/api/manage/v1/audit', { params: { query } })}
    />
  )
}

/** The changes in the owner's own shop, newest first, the operator's among them. */
export function ShopAudit() {
  const { actions } = useTexts(auditLogTexts)
  const id = useSession().shop!._id
  return (
    <AuditLog
      actions={actions}
      read={(query) => api.GET('/api/manage/v1/shops/{id}/audit', { params: { path: { id }, query } })}
    />
  )
}

type Answer = Promise<{
  data?: { data: AuditEntry[]; meta: { page: number; limit: number; hasMore: boolean } }
  error?: unknown
  response: Response
}>

function AuditLog<Action extends string>(props: {
  /** In words, by code. */
  actions: Record<Action, string>
  /** Which shop an entry concerns, where there are several. */
  shop?: Column<AuditEntry>
  read: (query: { page: number; limit: number; action: Action | undefined }) => Answer
}) {
  const { actions, shop, read } = props
  const texts = useTexts(auditLogTexts)
  const [list, setList] = useListState({ page: 1, size: 50, action: '' })
  const isAction = (text: string): text is Action => Object.hasOwn(actions, text)
  const action = isAction(list.action) ? list.action : undefined
  const applied =
    action === undefined ? [] : [{ name: `${texts.action}: ${actions[action]}`, without: { action: '' } }]
  const entries = useQuery({
    queryKey: ['audit', shop === undefined ? 'shop' : 'all', list],
    placeholderData: keepPreviousData,
    queryFn: () => dataOf(read({ page: list.page, limit: list.size, action })),
  })
  const columns: Column<AuditEntry>[] = [
    { title: texts.when, cell: ({ createdAt }) => <When at={createdAt} /> },
    { title: texts.action, cell: ({ action: done }) => (isAction(done) ? actions[done] : done) },
    { title: texts.who, maxWidth: 220, cell: (entry) => <Author {...entry} /> },
    ...(shop === undefined ? [] : [shop]),
    {
      title: texts.detail,
      maxWidth: 360,
      cell: ({ detail }) => <AuditDetail detail={detail} />,
    },
  ]
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
            ...Object.entries<string>(actions).map(([value, label]) => ({ value, label })),
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
