import { describe, expect, inject, it } from 'vitest'
import { BY_CONDITION } from '../support/by-condition.ts'
import { onPostgres } from '../support/database.ts'
import type { DeclaredColumn } from '../support/declared-rows.ts'
import { describer, rowBreaches } from '../support/row-check.ts'
import { makeShop, service } from '../support/service.ts'
import { watched } from '../support/statement-check.ts'

// PostgreSQL has the same schema, so checking one database is enough.
describe.skipIf(onPostgres)('the check of row types against the database', async () => {
  const running = await service()
  const describeStatement = onPostgres
    ? async () => []
    : await describer((running.database.pglite ?? watched().pglite)!)

  const column = (name: string, kinds: string, given: Partial<DeclaredColumn> = {}): DeclaredColumn => ({
    name,
    kinds: kinds.split(' | '),
    values: undefined,
    isNullable: false,
    isOptional: false,
    ...given,
  })
  const ORDERS = 'select id, customer_id, price, status, is_paid, created_at, user_address from orders'
  const STATUSES = [
    ...['pending', 'confirmed', 'processing', 'ready_to_ship'],
    ...['shipping', 'delivered', 'completed', 'cancelled'],
  ]

  it.each([
    [
      'types that fit',
      ORDERS,
      [column('id', 'string'), column('price', 'number'), column('created_at', 'Date')],
    ],
    ['null where it may be', ORDERS, [column('customer_id', 'string', { isNullable: true })]],
    ['the texts of a check', ORDERS, [column('status', 'string', { values: STATUSES })]],
    ['a text of any kind', ORDERS, [column('status', 'string')]],
    ['any shape of JSON', ORDERS, [column('user_address', 'Address', { isNullable: true })]],
    ['a list', 'select scopes from api_keys', [column('scopes', 'string[]')]],
    ['an optional column that is left out', ORDERS, [column('note', 'string', { isOptional: true })]],
    [
      'a column through steps and subqueries',
      'with o as (update orders set price = price returning status) select * from (select status from o) as x',
      [column('status', 'string', { values: STATUSES })],
    ],
  ])('passes %s', async (_, text, declared) => {
    expect(rowBreaches(declared, await describeStatement(text))).toEqual([])
  })

  it.each([
    ['a column that is not there', ORDERS, column('colour', 'string'), 'colour is not returned'],
    ['another type', ORDERS, column('price', 'string'), 'price is int8, not string'],
    ['one of two types', ORDERS, column('price', 'number | string'), 'price is int8, not number | string'],
    [
      'a list of other things',
      'select scopes from api_keys',
      column('scopes', 'number[]'),
      'scopes is _text, not number[]',
    ],
    [
      'null that may come',
      ORDERS,
      column('customer_id', 'string'),
      'customer_id (orders.customer_id) may be null',
    ],
    [
      'null through a step',
      'with o as (delete from orders returning customer_id) select customer_id from o',
      column('customer_id', 'string'),
      'customer_id (orders.customer_id) may be null',
    ],
    [
      'a text that the column allows and the type does not',
      ORDERS,
      column('status', 'string', { values: STATUSES.slice(1) }),
      'status (orders.status) may be pending',
    ],
    [
      'a text that the column refuses',
      ORDERS,
      column('status', 'string', { values: [...STATUSES, 'lost'] }),
      'status (orders.status) is never lost',
    ],
  ])('finds %s', async (_, text, declared, breach) => {
    expect(rowBreaches([declared], await describeStatement(text))).toEqual([breach])
  })

  it('reads the row types of the sources, through names, unions and intersections', () => {
    const rows = inject('declaredRows')
    expect(Object.keys(rows).length).toBeGreaterThan(100)
    const [owner] = rows['modules/access/keys/sql.ts findKeyByHash']!
    expect(owner).toContainEqual(column('scopes', 'string[]'))
    expect(owner).toContainEqual(column('language', 'string', { values: ['en', 'vi'] }))
    expect(owner).toContainEqual(column('expires_at', 'Date', { isNullable: true }))
    const [article] = rows['modules/news/sql.ts listNews']!
    expect(article).toContainEqual(column('total', 'number'))
    expect(article).toContainEqual(column('id', 'string', { isNullable: true }))
    expect(article).toContainEqual(column('title', 'string'))
  })

  it('compares the statements that a test makes the service run', async () => {
    await makeShop(running)
    // If another file has run the statement in this worker before, it was compared then.
    const { compared, undescribed } = watched()
    expect([...compared, ...undescribed.map(({ maker }) => maker)]).toContain(
      'modules/shops/sql.ts insertShop',
    )
  })

  it('what a condition narrows is a column of a function that exists', () => {
    const rows = inject('declaredRows')
    for (const [maker, columns] of Object.entries(BY_CONDITION)) {
      const names = rows[maker]?.flat().map(({ name }) => name)
      expect([maker, names]).toEqual([maker, expect.arrayContaining(Object.keys(columns))])
    }
  })
})
