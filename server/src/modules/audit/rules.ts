import type { ObjectId } from '../../lib/object-id.ts'

/** The author of a change that concerns no shop: the operator's token, or a person who is an operator. */
export type OperatorOrigin =
  | { actor: 'operator'; requestId: ObjectId; address: string }
  | { actor: 'member'; actorId: ObjectId; requestId: ObjectId; address: string }

/** The author of a change and where it came from; `service`: the process itself, without a request. */
export type Origin =
  | OperatorOrigin
  | { actor: 'key'; actorId: ObjectId; requestId: ObjectId; address: string }
  | { actor: 'service' }

/** The person who makes a change; null for the operator's token. */
export function personOf(origin: OperatorOrigin): ObjectId | null {
  return origin.actor === 'member' ? origin.actorId : null
}

export const AUDIT_ACTIONS = [
  'shop.create',
  'shop.update',
  'shop.suspend',
  'shop.resume',
  'shop.visit',
  'shop.leave',
  'key.create',
  'key.rotate',
  'key.update',
  'key.revoke',
  'official_account.link',
  'official_account.connect',
  'official_account.update',
  'official_account.unlink',
  'official_account.retry',
  'sms_sender.set',
  'sms_sender.remove',
  'wallet.top_up',
  'wallet.correct',
  'stock.repair',
  'member.invite',
  'member.uninvite',
  'member.join',
  'member.update',
  'member.remove',
  'webhook.create',
  'webhook.update',
  'webhook.rotate_secret',
  'webhook.delete',
  'person.export',
  'person.erase',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** The actions that concern no shop, or must stay recorded after the shop is deleted. */
export const OPERATOR_ACTIONS = [
  'operator.add',
  'operator.remove',
  'reset_link.create',
  'platform_app.set',
  'platform_app.remove',
  'people.erase',
  'shop.delete',
  'shop.keep',
  'job.retry',
  'job.drop',
] as const
export type OperatorAction = (typeof OPERATOR_ACTIONS)[number]

/**
 * The fields that a change modified: each field of `after` that differs from `before`, as `[before, after]`. Every field of
 * `after` must be in `before`. Empty if nothing changed.
 */
export function changesOf<Fields extends Record<string, unknown>>(
  before: Fields,
  after: Fields,
): Record<string, [unknown, unknown]> {
  return Object.fromEntries(
    Object.keys(after)
      .filter((name) => before[name] !== after[name])
      .map((name) => [name, [before[name], after[name]]]),
  )
}
