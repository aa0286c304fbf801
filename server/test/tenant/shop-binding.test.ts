import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ACROSS_SHOPS } from '../support/across-shops.ts'
import { makeShop, send, service } from '../support/service.ts'
import { unboundTables } from '../support/shop-binding.ts'
import { watched } from '../support/statement-check.ts'

const running = await service()
const TABLES = new Set(['orders', 'order_items', 'skus', 'stock', 'wallets'])
const of = (text: string) => unboundTables(text, TABLES)

describe('the check of statements: a shop’s table is held to a shop', () => {
  it.each([
    'select id from orders where shop_id = $1',
    'select id from orders o where o.shop_id = $1::object_id and (o.id = $2 or o.id = $3)',
    'select 1 from orders o join order_items i on i.shop_id = o.shop_id and i.order_id = o.id where o.shop_id = $1',
    'select 1 from orders o join order_items i using (shop_id) where i.shop_id = $1',
    'select 1 from orders o left join order_items i on i.shop_id = o.shop_id where o.shop_id = $1',
    'select 1 from orders o, lateral (select 1 from order_items i where i.shop_id = o.shop_id) as x where o.shop_id = $1',
    'select 1 from orders o where o.shop_id = $1 and exists (select from order_items where shop_id = o.shop_id)',
    'with o as (select shop_id, id from orders where shop_id = $1) select 1 from o join skus s on s.shop_id = o.shop_id',
    'with o as (update orders set status = $2 where shop_id = $1 returning *) select 1 from skus s join o on s.shop_id = o.shop_id',
    'insert into orders (shop_id, id) values ($1, $2), ($1, $3)',
    'insert into orders (shop_id, id) select shop_id, $2 from wallets where shop_id = $1',
    'insert into orders (shop_id, id) values ($1, $2) on conflict (shop_id, id) do update set status = excluded.status',
    'update orders o set status = $2 from skus s where s.shop_id = $1 and o.shop_id = s.shop_id',
    'delete from orders where (shop_id, id) in (select shop_id, id from skus where shop_id = $1)',
    'with s as (insert into shops (id) values ($1) returning id) insert into wallets (shop_id) select id from s',
    'select 1 from shops s join orders o on o.shop_id = s.id where s.id = $1',
    'select (select count(*) from orders where shop_id = $1) from (select 1) as one',
    'select 1 from orders where shop_id = $1 union all select 1 from skus where shop_id = $1',
    'select 1 from shops where id = $1',
  ])('passes: %s', (text) => {
    expect(of(text)).toEqual([])
  })

  it.each([
    ['select id from orders where id = $1', ['orders']],
    ["select id from orders where shop_id = 'x'", ['orders']],
    ['select id from orders where shop_id = $1 or id = $2', ['orders']],
    ['select id from orders where not shop_id = $1', ['orders']],
    ['select id from orders where shop_id <> $1', ['orders']],
    [
      'select 1 from orders o join order_items i on i.order_id = o.id where o.shop_id = $1',
      ['order_items i'],
    ],
    ['select 1 from orders o join order_items i on i.shop_id = o.shop_id', ['orders o', 'order_items i']],
    [
      'select 1 from orders o left join order_items i on i.shop_id = o.shop_id and o.shop_id = $1',
      ['orders o', 'order_items i'],
    ],
    ['select 1 from orders o left join order_items i on i.shop_id = $1', ['orders o']],
    ['select (select count(*) from orders) from skus where shop_id = $1', ['orders']],
    ['select 1 from skus where shop_id = $1 and exists (select from orders where id = $2)', ['orders']],
    ['with o as (select id from orders) select 1 from o', ['orders']],
    ['select 1 from skus where shop_id = $1 union select 1 from orders', ['orders']],
    ['insert into orders (id) values ($1)', ['insert into orders']],
    ["insert into orders (shop_id, id) values ($1, $2), ('x', $3)", ['insert into orders']],
    ['insert into orders (shop_id, id) select shop_id, id from skus', ['skus', 'insert into orders']],
    [
      'insert into orders (shop_id, id) values ($1, $2) on conflict (id) do update set status = excluded.status',
      ['insert into orders'],
    ],
    ['update orders set status = $1 where id = $2', ['orders']],
    ['update orders o set status = $2 from skus s where s.shop_id = $1 and o.id = s.id', ['orders o']],
    ['delete from orders using skus s where s.shop_id = $1', ['orders']],
    [
      'select 1 from orders o join jsonb_to_recordset($1) as given (shop_id text) on o.shop_id = given.shop_id',
      ['orders o'],
    ],
  ])('finds: %s', (text, unbound) => {
    expect(of(text)).toEqual(unbound)
  })
})

describe('statements over several shops', () => {
  it('roots may be unbound, and what is not joined to them may not', () => {
    const joined = 'select 1 from orders o join order_items i on i.shop_id = o.shop_id where o.status = $1'
    const loose = 'select 1 from orders o join order_items i on i.order_id = o.id where o.status = $1'
    expect(unboundTables(joined, TABLES, ['o'])).toEqual([])
    expect(unboundTables(loose, TABLES, ['o'])).toEqual(['order_items i'])
  })

  it('each one that is allowed is a function that exists, and says why', () => {
    for (const [maker, { why }] of Object.entries(ACROSS_SHOPS)) {
      const [path, name] = maker.split(' ')
      const text = readFileSync(new URL(`../../src/${path}`, import.meta.url), 'utf8')
      expect([maker, text.includes(`function ${name}(`), why.length > 10]).toEqual([maker, true, true])
    }
  })
})

describe('the watch over the statements that tests make the service run', () => {
  it('sees those of our sources, and none that reaches over shops unnoticed', async () => {
    const { apiKey } = await makeShop(running)
    await send(running, 'GET', '/api/external/v1/orders', undefined, {
      'x-api-key': `service-partner ${apiKey}`,
    })
    const { texts } = watched()
    expect([...texts].filter((text) => /\bfrom orders\b/.test(text))).not.toEqual([])
    expect([...texts].filter((text) => /\binto api_keys\b/.test(text))).not.toEqual([])
  })
})
