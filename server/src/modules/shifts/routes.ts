import type { FastifyRequest } from 'fastify'
import { isUniqueViolation } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { invalidField, NotFound, Refused } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { cursorMeta, readPlace } from '../../http/list-place.ts'
import { editorOf } from '../../http/record-version.ts'
import { pathId } from '../../http/validation/object-id.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { toNfc } from '../../lib/text/text.ts'
import { idempotentCreate } from '../idempotency/hook.ts'
import { closeShift } from './close-shift.ts'
import { presentShift, presentShiftDetail, presentShiftPayment } from './present.ts'
import { MOST_PAYMENTS } from './rules.ts'
import {
  closeShiftBody,
  getShiftQuery,
  listShiftsQuery,
  openShiftBody,
  shiftAnswer,
  shiftCashBody,
  shiftsAnswer,
} from './schema.ts'
import {
  findShift,
  hasShiftCash,
  insertShift,
  insertShiftCash,
  listShiftCash,
  listShiftPayments,
  listShifts,
  ONE_OPEN_CONSTRAINT,
} from './sql.ts'

const tags = ['Shifts']
const PATH = '/api/external/v1/shifts'

/** G-40: shifts at the counter. */
export function shiftRoutes(app: App, deps: Deps): void {
  const { db, ids, clock } = deps

  async function detail(shopId: ObjectId, id: ObjectId) {
    const row = await findShift(db, shopId, id)
    if (row === undefined) throw new NotFound('shift')
    return { data: presentShiftDetail(row, await listShiftCash(db, shopId, id)) }
  }

  /** @throws NotFound; Refused SHIFT_OF_ANOTHER (403) for staff if somebody else opened the shift. */
  async function assertMayChange(request: FastifyRequest, id: ObjectId): Promise<void> {
    if (request.shop.hasAllShifts) return
    const row = await findShift(db, request.shop.id, id)
    if (row === undefined) throw new NotFound('shift')
    if (row.opened_by?.id !== request.memberId) throw new Refused('SHIFT_OF_ANOTHER')
  }

  app.get(
    PATH,
    {
      schema: {
        tags,
        operationId: 'listShifts',
        summary: 'List shifts, newest first',
        querystring: listShiftsQuery,
        response: { 200: shiftsAnswer },
      },
    },
    async (request) => {
      const { page, limit, state, mine } = request.query
      const place = readPlace(request.query, request.shop.id, 'shifts.openedAt.desc')
      const filter = {
        isOpen: state === undefined ? undefined : state === 'open',
        openedBy: mine === true ? editorOf(request)! : undefined,
        ids: place.ids,
      }
      const { shifts, hasMore, last } = await listShifts(db, request.shop.id, filter, place)
      const meta = { page, limit, hasMore, ...cursorMeta(place, shifts.length, last) }
      return { data: shifts.map(presentShift), meta }
    },
  )

  app.post(
    PATH,
    {
      schema: {
        tags,
        operationId: 'openShift',
        summary: 'Open a shift',
        description:
          'Payments that its key or member takes or gives back from then on belong to it. One open shift per key or member, otherwise 409 SHIFT_OPEN.',
        body: openShiftBody,
        errors: ['SHIFT_OPEN'],
        response: { 201: shiftAnswer },
      },
    },
    async (request, reply) => {
      const { openingCash, note = '' } = request.body
      const shift = { openingCash, note: toNfc(note), openedBy: editorOf(request)!, now: clock.now() }
      const id = await idempotentCreate(request, ids, {
        find: async (made) => (await findShift(db, request.shop.id, made))?.id,
        async create(made) {
          await insertShift(db, request.shop.id, { ...shift, id: made })
          return made
        },
      }).catch((error) => {
        throw isUniqueViolation(error, ONE_OPEN_CONSTRAINT) ? new Refused('SHIFT_OPEN') : error
      })
      return reply.code(201).send(await detail(request.shop.id, id))
    },
  )

  app.get(
    `${PATH}/:id`,
    {
      schema: {
        tags,
        operationId: 'getShift',
        summary: 'Read a shift',
        querystring: getShiftQuery,
        response: { 200: shiftAnswer },
      },
    },
    async (request) => {
      const shopId = request.shop.id
      const id = pathId(request.params)
      const { data } = await detail(shopId, id)
      if (request.query.select === undefined) return { data }
      const payments = await listShiftPayments(db, shopId, id, MOST_PAYMENTS)
      return { data: { ...data, payments: payments.map(presentShiftPayment) } }
    },
  )

  app.post(
    `${PATH}/:id/cash`,
    {
      schema: {
        tags,
        operationId: 'recordShiftCash',
        summary: 'Record cash put into the drawer or taken out',
        description: 'Staff change their own shift only, an owner or a key any.',
        body: shiftCashBody,
        errors: ['SHIFT_CLOSED', 'SHIFT_OF_ANOTHER'],
        response: { 201: shiftAnswer },
      },
    },
    async (request, reply) => {
      const shopId = request.shop.id
      const shiftId = pathId(request.params)
      const { amount, reason } = request.body
      if (amount === 0) throw invalidField(['amount'], 'amount.notZero')
      await assertMayChange(request, shiftId)
      const movement = { amount, reason: toNfc(reason).trim(), by: editorOf(request)!, now: clock.now() }
      await idempotentCreate(request, ids, {
        find: async (id) => ((await hasShiftCash(db, shopId, shiftId, id)) ? id : undefined),
        async create(id) {
          if (await insertShiftCash(db, shopId, shiftId, { ...movement, id })) return id
          if ((await findShift(db, shopId, shiftId)) === undefined) throw new NotFound('shift')
          throw new Refused('SHIFT_CLOSED')
        },
      })
      return reply.code(201).send(await detail(shopId, shiftId))
    },
  )

  app.post(
    `${PATH}/:id/close`,
    {
      schema: {
        tags,
        operationId: 'closeShift',
        summary: 'Close a shift with the counted cash',
        description:
          'A closed shift never changes; payments taken afterwards do not belong to it. Staff close their own shift only, an owner or a key any.',
        body: closeShiftBody,
        errors: ['SHIFT_CLOSED', 'SHIFT_CASH_CHANGED', 'SHIFT_OF_ANOTHER'],
        response: { 200: shiftAnswer },
      },
    },
    async (request) => {
      const id = pathId(request.params)
      await assertMayChange(request, id)
      const { countedCash, expectedCash, note = '' } = request.body
      const asked = { countedCash, expectedCash, note: toNfc(note), by: editorOf(request)! }
      await closeShift(deps, request.shop.id, id, asked, request.idempotency)
      return detail(request.shop.id, id)
    },
  )
}
