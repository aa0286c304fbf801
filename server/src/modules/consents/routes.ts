import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { invalidField, invalidQuery } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { cursorMeta, readPlace } from '../../http/list-place.ts'
import { recentInstant } from '../../http/validation/instant.ts'
import { normalizePhone, storedForms } from '../../lib/text/phone.ts'
import { toNfc } from '../../lib/text/text.ts'
import { idempotentCreate } from '../idempotency/hook.ts'
import { presentConsent } from './present.ts'
import { recordConsent } from './record-consent.ts'
import { OLDEST_DAYS, type Recipient } from './rules.ts'
import { consentAnswer, consentsAnswer, listConsentsQuery, recordConsentBody } from './schema.ts'
import { findConsent, listConsents } from './sql.ts'

const tags = ['Customers']
const PATH = '/api/external/v1/consents'

/** G-77: whether customers agree to receive messages. */
export function consentRoutes(app: App, deps: Deps): void {
  const { db, ids, clock } = deps

  app.post(
    PATH,
    {
      schema: {
        tags,
        operationId: 'recordConsent',
        summary: 'Record that a customer consents to messages, or withdraws consent',
        description:
          'Added to the history of the number or UID; the record with the newest `at` applies. After a withdrawal, batches of templates with tag 2 or 3 refuse the recipient with `RECIPIENT_OPTED_OUT`, and its queued messages of those tags are cancelled. Tag 1 and single messages are sent as before.',
        body: recordConsentBody,
        response: { 201: consentAnswer },
      },
    },
    async (request, reply) => {
      const { status, source, at } = request.body
      const now = clock.now()
      const said = {
        ...recipientOf(request.body),
        status,
        source: toNfc(source).trim(),
        said_at: at === undefined ? now : recentInstant(at, 'at', { now, days: OLDEST_DAYS }),
        ...authorOf(request),
      }
      const { consent, cancelled } = await idempotentCreate(request, ids, {
        async find(id) {
          const row = await findConsent(db, request.shop.id, id)
          return row && { consent: row, cancelled: 0 }
        },
        create: (id) => recordConsent(deps, request.shop.id, { ...said, id }),
      })
      return reply.code(201).send({ data: { consent: presentConsent(consent), cancelled } })
    },
  )

  app.get(
    PATH,
    {
      schema: {
        tags,
        operationId: 'listConsents',
        summary: 'List consents and withdrawals, newest first',
        description: 'With `phone` or `userUID`, the first record is the one that applies to that recipient.',
        querystring: listConsentsQuery,
        response: { 200: consentsAnswer },
      },
    },
    async (request) => {
      const { page, limit, phone = '', userUID = '' } = request.query
      const place = readPlace(request.query, request.shop.id, 'consents.at.desc')
      const filter = { of: askedRecipient(phone, userUID), ids: place.ids }
      const { consents, hasMore, last } = await listConsents(db, request.shop.id, filter, place)
      const meta = { page, limit, hasMore, ...cursorMeta(place, consents.length, last) }
      return { data: consents.map(presentConsent), meta }
    },
  )
}

/** @throws ValidationError unless the body names exactly one recipient. */
function recipientOf({ phone, userUID }: { phone?: string; userUID?: string }): Recipient {
  const peers = ['phone', 'userUID']
  if (phone !== undefined && userUID !== undefined) throw invalidField([], 'object.xor', { peers })
  if (userUID !== undefined) return { channel: 'uid', recipient: userUID }
  if (phone === undefined) throw invalidField([], 'object.missing', { peers })
  const recipient = normalizePhone(phone)
  if (recipient === undefined) throw invalidField(['phone'], 'string.phone')
  return { channel: 'phone', recipient }
}

function askedRecipient(phone: string, userUid: string): Recipient | undefined {
  if (userUid !== '') return { channel: 'uid', recipient: userUid }
  if (phone === '') return undefined
  const [recipient] = storedForms(phone)
  if (recipient === undefined) throw invalidQuery('phone', 'string.phone')
  return { channel: 'phone', recipient }
}

/** The key or member that makes a request. */
function authorOf(request: FastifyRequest) {
  const { keyId } = request.shop
  return keyId === undefined
    ? { actor: 'member' as const, actor_id: request.memberId! }
    : { actor: 'key' as const, actor_id: keyId }
}
