import { describe, expect, it } from 'vitest'
import { type ApiOperation, apiOperations, sampleOf } from '../../support/api-operations.ts'
import { CALLERS_OWN, REFERENCES } from '../../support/id-references.ts'
import { BODIES, NAMED_IN_PATH } from '../../support/ids-in-paths.ts'
import type { Body, Reference } from '../../support/reference.ts'
import { type Answer, makeShop, type Partner, service, unusedId } from '../../support/service.ts'
import {
  insertShopRecords,
  type RecordName,
  type ShopRecords,
  snapshotShop,
} from '../../support/shop-records.ts'

/**
 * Tries every id that the API accepts, in every place, with a record of another shop and with an id that nothing has:
 * the responses must be equal, and the other shop must not change. Routes come from the API document. The record of a
 * path's id comes from NAMED_IN_PATH, and the body from its schema or BODIES (support/ids-in-paths.ts). An id in a
 * query or a body needs an entry in REFERENCES (support/id-references.ts), or its test fails and names it.
 */
const running = await service()

/** Ids that the platform assigns, in a form that we do not know. */
const FREE_TEXTS = [/notify-template.* body:oaId$/]

/** Texts that are neither an id of 24 hexadecimal characters nor a number of the platform. */
const MALFORMED = ['abc', 'z'.repeat(24), 'a'.repeat(23), 'a'.repeat(25), `${'a'.repeat(24)} `, '12a', ' ']

type Side = { partner: Partner; ids: ShopRecords }

async function makeSide(): Promise<Side> {
  const partner = await makeShop(running)
  return { partner, ids: await insertShopRecords(running, partner.shopId) }
}

/** The response without its ids and times, so that two responses can be compared. */
function comparable(answer: Answer, id: string): unknown {
  const text = JSON.stringify(answer.body)
    .replaceAll(id, '<the id>')
    .replace(/[0-9a-f]{24}/g, '<an id>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<a time>')
    .replace(/"DH\d+"|"dh\d+/g, '<a code>')
  return { status: answer.status, text }
}

type Ask = (side: Side, id: string) => Promise<Answer>

/** The other shop, which nothing may change. */
const other = await makeSide()
/** The shop for calls that only read, or are refused before they read anything. */
const reader = await makeSide()

/**
 * Three equal callers, so that a change by one call does not affect the next. Reads, and foreign ids that are refused,
 * change nothing, so one shop makes all three calls; only the last of these may change it.
 */
async function makeCallers(method: string, status: number): Promise<[Side, Side, Side]> {
  if (method === 'GET') return [reader, reader, reader]
  if (status < 400) return [await makeSide(), await makeSide(), await makeSide()]
  const one = await makeSide()
  return [one, one, one]
}

type Compared = { method: string; record: RecordName; status: number; isSilent: boolean }

/** Calls with another shop's record and with an unused id, and then as a counter-check with the caller's own record. */
async function compare({ method, record, status, isSilent }: Compared, ask: Ask): Promise<void> {
  const before = await snapshotShop(running, other.partner.shopId)
  const [first, second, third] = await makeCallers(method, status)
  const none = unusedId()
  const unused = comparable(await ask(first, none), none)
  const foreign = comparable(await ask(second, other.ids[record]), other.ids[record])
  expect(foreign).toEqual(unused)
  expect(foreign).toMatchObject({ status })
  expect(await snapshotShop(running, other.partner.shopId)).toEqual(before)
  const own = comparable(await ask(third, third.ids[record]), third.ids[record])
  if (!isSilent) expect(own).not.toEqual(foreign)
}

function askByPath(operation: ApiOperation): Ask {
  return ({ partner, ids }, id) => {
    const body = BODIES[operation.name]?.(ids) ?? (operation.body && (sampleOf(operation.body) as Body))
    return partner.call(operation.method, operation.path.replace(/\{[^}]+\}/, id), body)
  }
}

function askByReference(operation: ApiOperation, reference: Reference): Ask {
  return ({ partner, ids }, id) => {
    const record = NAMED_IN_PATH.find(([path]) => path.test(operation.path))?.[1]
    const path = operation.path.replace(/\{[^}]+\}/, record === undefined ? '' : ids[record])
    const query = reference.query === undefined ? '' : `?${reference.query(id)}`
    const { body, csv } = reference
    const headers: Record<string, string> = csv === undefined ? {} : { 'content-type': 'text/csv' }
    return partner.call(operation.method, `${path}${query}`, csv ?? body?.(id, ids), headers)
  }
}

describe("another shop's id is answered like an id that nothing has, and changes nothing", () => {
  const operations = apiOperations(running.app)

  it('the API document has the operations that take ids', () => {
    const names = operations.filter(({ ids }) => ids.length > 0).map(({ name }) => name)
    expect(names).toContain('PUT /api/external/news/{id}')
    expect(names).toContain('POST /api/external/news/{id}/items')
  })

  for (const operation of operations) {
    for (const place of operation.ids) {
      const name = `${operation.name} ${place}`
      if (CALLERS_OWN.some((pattern) => pattern.test(name))) continue
      it(name, async () => {
        if (place.startsWith('path:')) {
          const record = NAMED_IN_PATH.find(([path]) => path.test(operation.path))?.[1]
          if (record === undefined) throw new Error(`${name}: add its kind of record to NAMED_IN_PATH`)
          const { method } = operation
          await compare({ method, record, status: 404, isSilent: false }, askByPath(operation))
          return
        }
        const reference = REFERENCES[name]
        if (reference === undefined) throw new Error(`${name}: add a fixture for it to REFERENCES`)
        for (const record of reference.records) {
          const { status, isSilent = false } = reference
          await compare(
            { method: operation.method, record, status, isSilent },
            askByReference(operation, reference),
          )
        }
      })
    }
  }
})

describe('G-04 a malformed id in a body is 400 with its field, and 500 in `newsIds` alone', () => {
  for (const operation of apiOperations(running.app)) {
    for (const place of operation.ids.filter((each) => each.startsWith('body:'))) {
      const name = `${operation.name} ${place}`
      if ([...CALLERS_OWN, ...FREE_TEXTS].some((pattern) => pattern.test(name))) continue
      it(name, async () => {
        const ask = askByReference(operation, REFERENCES[name]!)
        for (const id of MALFORMED) {
          const { status, body } = await ask(reader, id)
          if (place === 'body:newsIds') {
            expect([id, status, body.message]).toEqual([id, 500, expect.stringContaining('newsIds')])
            continue
          }
          expect([id, status]).toEqual([id, 400])
          const field = place.slice('body:'.length).replaceAll('[]', '.0')
          const keys = [/(item|product|category)Ids$/.test(field) ? `${field}.0` : field]
          if (place === 'body:shopId') expect(body.code).toBe('SHOP_MISMATCH')
          else expect([id, body.validation?.body.keys]).toEqual([id, keys])
        }
      })
    }
  }
})
