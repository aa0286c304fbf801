import { Type } from 'typebox'
import { placeFields } from '../../http/list-place.ts'
import { pageMeta, paging } from '../../http/validation/fields.ts'
import { literals } from '../../http/validation/validate.ts'
import { AUDIT_ACTIONS, OPERATOR_ACTIONS } from './rules.ts'

export const auditEntry = Type.Object({
  _id: Type.String(),
  id: Type.String(),
  shopId: Type.Union([Type.String(), Type.Null()], {
    description: 'null: concerns no shop, for example a new operator',
  }),
  shopName: Type.Union([Type.String(), Type.Null()], {
    description:
      'The current name of the shop that the entry concerns: `shopId`, else `target.shopId`. null: there is none, or it was erased',
  }),
  actor: literals(['operator', 'key', 'member', 'service']),
  actorId: Type.Union([Type.String(), Type.Null()]),
  actorName: Type.Union([Type.String(), Type.Null()], {
    description:
      'The current name of the member or key. null: has none, was deleted, or the author is the operator’s token or the service',
  }),
  actorEmail: Type.Union([Type.String(), Type.Null()], {
    description: 'The member’s email address. In the log of one shop, null for operators',
  }),
  action: Type.String(),
  target: Type.Record(Type.String(), Type.String(), { description: 'Ids of the changed objects' }),
  detail: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The changed fields, each as `[before, after]`',
  }),
  requestId: Type.Union([Type.String(), Type.Null()]),
  address: Type.Union([Type.String(), Type.Null()]),
  createdAt: Type.String(),
})

export const shopAuditQuery = Type.Object({
  ...paging(50, 100, 10_000),
  ...placeFields,
  action: Type.Optional(literals(AUDIT_ACTIONS)),
})

export const auditQuery = Type.Object({
  ...paging(50, 100, 10_000),
  ...placeFields,
  action: Type.Optional(literals([...AUDIT_ACTIONS, ...OPERATOR_ACTIONS])),
})

export const auditAnswer = Type.Object({
  data: Type.Array(auditEntry),
  meta: pageMeta,
})
