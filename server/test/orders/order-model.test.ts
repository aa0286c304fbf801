import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { movesTo, ORDER_STATUSES, type OrderStatus } from '../../src/modules/orders/rules.ts'
import { checkInvariants } from '../support/invariants.ts'
import { ENTRIES, entry, makeWarehouse, POS, stockedSku, stockOf, WAREHOUSES } from '../support/inventory.ts'
import { moveOrder, ORDERS, payOrder } from '../support/order-changes.ts'
import { type Answer, makeShop, type Partner, service } from '../support/service.ts'

/**
 * Random sequences of operations that change stock, against a model. One after the other, the model predicts every
 * response and every number. At once, orders and stock must agree afterwards.
 */
const running = await service()
const { db } = running.database
const SKUS = 3
const START = 6

type Op =
  | { kind: 'create'; lines: [sku: number, quantity: number][] }
  | { kind: 'move'; order: number; status: OrderStatus }
  | { kind: 'pay'; order: number; share: number }
  // `completes`: the order is completed before it, if that is possible.
  | { kind: 'return'; order: number; line: number; pieces: number; restock: boolean; completes: boolean }
  | {
      kind: 'entry'
      type: 'receive' | 'issue' | 'count' | 'transfer'
      warehouse: 0 | 1
      items: [number, number][]
    }

const sku = fc.nat(SKUS - 1)
const pieces = fc.integer({ min: 1, max: 5 })
const op: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      lines: fc.array(fc.tuple(sku, pieces), { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      order: fc.nat(8),
      status: fc.constantFrom<OrderStatus>('completed', 'cancelled', 'cancelled', ...ORDER_STATUSES),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('pay' as const), order: fc.nat(8), share: fc.nat(4) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('return' as const),
      order: fc.nat(1),
      line: fc.nat(1),
      pieces: fc.integer({ min: 1, max: 3 }),
      restock: fc.boolean(),
      completes: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('entry' as const),
      type: fc.constantFrom('receive' as const, 'issue' as const, 'count' as const, 'transfer' as const),
      warehouse: fc.constantFrom(0 as const, 1 as const),
      items: fc.uniqueArray(fc.tuple(sku, pieces), { minLength: 1, selector: ([index]) => index }),
    }),
  },
)

type Shop = {
  partner: Partner
  skus: string[]
  warehouses: [string, string]
  orders: { id: string; items: string[] }[]
}

async function open(oversell: 'allow' | 'deny'): Promise<Shop> {
  const partner = await makeShop(running, { oversell })
  const skus: string[] = []
  for (let n = 0; n < SKUS; n++) skus.push(await stockedSku(partner, START, `Áo ${n}`))
  const second = await makeWarehouse(partner)
  const [first] = (await partner.get(WAREHOUSES)).body.data.warehouses
  return { partner, skus, warehouses: [first._id, second], orders: [] }
}

/** Executes the operation; undefined when it refers to an order that does not exist yet. */
async function perform(shop: Shop, todo: Op): Promise<Answer | undefined> {
  const { partner, skus, warehouses, orders } = shop
  if (todo.kind === 'create') {
    const answer = await partner.post(POS, {
      orderItems: todo.lines.map(([index, quantity]) => ({ id: skus[index], quantity, price: 10 })),
    })
    if (answer.status === 200) {
      const { _id: id, orderItems } = answer.body.data
      orders.push({ id, items: orderItems.map((item: { _id: string }) => item._id) })
    }
    return answer
  }
  if (todo.kind === 'entry') {
    const items = todo.items.map(([index, quantity]) => [skus[index]!, quantity] as [string, number])
    const more = {
      warehouseId: warehouses[todo.warehouse],
      ...(todo.type === 'transfer' ? { toWarehouseId: warehouses[1 - todo.warehouse] } : {}),
    }
    return partner.post(ENTRIES, entry(todo.type, items, more))
  }
  const order = orders[todo.order]
  if (order === undefined) return undefined
  const { id, items } = order
  if (todo.kind === 'return') {
    const orderItemId = items[todo.line]
    if (orderItemId === undefined) return undefined
    if (todo.completes) await moveOrder(partner, id, 'completed')
    const lines = [{ orderItemId, quantity: todo.pieces }]
    return partner.post(`${ORDERS}/${id}/returns`, { lines, restock: todo.restock })
  }
  return todo.kind === 'move' ? moveOrder(partner, id, todo.status) : payOrder(partner, id, todo.share)
}

type Level = { quantity: number; reserved: number }
type ModelOrder = {
  status: OrderStatus
  held: { level: Level; pieces: number }[]
  /** The pieces of each line that were not returned. */
  left: { main: Level; pieces: number }[]
}

/** The expected state of a shop: stock by SKU and warehouse, the default warehouse first. */
class Model {
  levels: [Level, Level][] = Array.from({ length: SKUS }, () => [
    { quantity: START, reserved: 0 },
    { quantity: 0, reserved: 0 },
  ])
  orders: ModelOrder[] = []
  denies: boolean

  constructor(denies: boolean) {
    this.denies = denies
  }

  /** The status of the response; undefined if it is not compared. */
  apply(todo: Op): number | undefined {
    if (todo.kind === 'create') return this.create(todo.lines)
    if (todo.kind === 'entry') return this.enter(todo)
    const order = this.orders[todo.order]
    if (order === undefined || todo.kind === 'pay') return undefined
    if (todo.kind === 'return') return this.bringBack(order, todo)
    return this.move(order, todo.status)
  }

  create(lines: [number, number][]): number {
    const wanted = new Map<number, number>()
    for (const [index, n] of lines) wanted.set(index, (wanted.get(index) ?? 0) + n)
    const free = (level: Level) => level.quantity - level.reserved
    const isShort = [...wanted].some(([index, n]) => {
      const [main, second] = this.levels[index]!
      return n > free(main) + free(second)
    })
    if (this.denies && isShort) return 400
    const held = [...wanted].flatMap(([index, n]) => {
      const [main, second] = this.levels[index]!
      const fromMain = Math.min(n, Math.max(free(main), 0))
      const fromSecond = Math.min(n - fromMain, Math.max(free(second), 0))
      return [
        { level: main, pieces: n - fromSecond },
        { level: second, pieces: fromSecond },
      ]
    })
    for (const { level, pieces: n } of held) level.reserved += n
    const left = lines.map(([index, n]) => ({ main: this.levels[index]![0], pieces: n }))
    this.orders.push({ status: 'pending', held, left })
    return 200
  }

  move(order: ModelOrder, status: OrderStatus): number {
    try {
      if (!movesTo(order.status, status)) return 200
    } catch {
      return 409
    }
    order.status = status
    if (status !== 'completed' && status !== 'cancelled') return 200
    for (const { level, pieces: n } of order.held) {
      level.reserved -= n
      if (status === 'completed') level.quantity -= n
    }
    return 200
  }

  bringBack(order: ModelOrder, todo: Extract<Op, { kind: 'return' }>): number | undefined {
    const { line, pieces: n, restock } = todo
    const left = order.left[line]
    if (left === undefined) return undefined
    if (todo.completes) this.move(order, 'completed')
    if (order.status !== 'completed') return 409
    if (n > left.pieces) return 400
    left.pieces -= n
    if (restock) left.main.quantity += n
    return 201
  }

  enter({ type, warehouse, items }: Extract<Op, { kind: 'entry' }>): number {
    const at = ([index, n]: [number, number]) => {
      const pair = this.levels[index]!
      return { n, level: pair[warehouse], other: pair[warehouse === 0 ? 1 : 0] }
    }
    const moves = items.map(at)
    const mayBeShort = type === 'transfer' || (type === 'issue' && this.denies)
    if (mayBeShort && moves.some(({ n, level }) => n > Math.max(level.quantity - level.reserved, 0)))
      return 400
    for (const { n, level, other } of moves) {
      if (type === 'receive') level.quantity += n
      else if (type === 'count') level.quantity = n
      else level.quantity -= n
      if (type === 'transfer') other.quantity += n
    }
    return 201
  }
}

function levelsOf(shop: Shop, model: Model): Record<string, string> {
  const places = model.levels.flatMap((pair, index) =>
    pair.map(({ quantity, reserved }, n) => [
      `${shop.skus[index]} ${shop.warehouses[n]}`,
      `${quantity}/${reserved}`,
    ]),
  )
  return Object.fromEntries(places.filter(([, level]) => level !== '0/0'))
}

/** Orders whose reservations, movements, lines or payments do not fit their status. */
async function misfits(shopId: string): Promise<unknown[]> {
  const { rows } = await sql`
    select *
    from (
      select o.id, o.status, o.paid_amount,
        (select coalesce(sum(quantity), 0) from order_items i where i.shop_id = o.shop_id and i.order_id = o.id) as pieces,
        (
          select coalesce(sum(l.quantity), 0)
          from order_returns b
          join order_return_lines l on l.shop_id = b.shop_id and l.return_id = b.id
          where b.shop_id = o.shop_id and b.order_id = o.id and b.warehouse_id is not null
        ) as restocked,
        (select coalesce(sum(quantity), 0) from order_reservations r where r.shop_id = o.shop_id and r.order_id = o.id) as reserved,
        (select coalesce(-sum(quantity), 0) from stock_movements m where m.shop_id = o.shop_id and m.order_id = o.id) as taken,
        (select coalesce(sum(amount), 0) from gateway_payments g where g.shop_id = o.shop_id and g.order_id = o.id) as paid,
        (select detail ->> 'to' from order_events e where e.shop_id = o.shop_id and e.order_id = o.id and kind = 'status' order by e.id desc limit 1) as told
      from orders o
      where o.shop_id = ${shopId}
    ) as one
    where paid <> paid_amount or coalesce(told, 'pending') <> status
      or reserved <> case when status in ('completed', 'cancelled') then 0 else pieces end
      or taken <> case status when 'completed' then pieces - restocked else 0 end`.execute(db)
  return rows
}

describe('G-40 G-43 orders and stock against a model', () => {
  it.each(['deny', 'allow'] as const)(
    'one after the other, every answer and number is foretold (oversell: %s)',
    async (oversell) => {
      await fc.assert(
        fc.asyncProperty(fc.array(op, { minLength: 10, maxLength: 40 }), async (todos) => {
          const shop = await open(oversell)
          const model = new Model(oversell === 'deny')
          for (const todo of todos) {
            const foretold = model.apply(todo)
            const answer = await perform(shop, todo)
            if (foretold !== undefined) expect([todo, answer?.status]).toEqual([todo, foretold])
          }
          expect(await stockOf(db, shop.partner.shopId)).toEqual(levelsOf(shop, model))
          expect(await misfits(shop.partner.shopId)).toEqual([])
          await checkInvariants(db, shop.partner.shopId)
        }),
        { numRuns: 8 },
      )
    },
    120_000,
  )

  it('at once, orders and stock agree afterwards, no promise is given twice, and none waits forever', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(op, { minLength: 4, maxLength: 16 }), { minLength: 2, maxLength: 4 }),
        async (batches) => {
          const shop = await open('deny')
          for (const batch of batches) {
            const answers = await Promise.all(batch.map((todo) => perform(shop, todo)))
            for (const answer of answers) expect([undefined, 200, 201, 400, 409]).toContain(answer?.status)
            expect(await misfits(shop.partner.shopId)).toEqual([])
            await checkInvariants(db, shop.partner.shopId)
          }
          // Only a count may leave less than was reserved.
          if (batches.flat().every((todo) => todo.kind !== 'entry' || todo.type !== 'count')) {
            for (const level of Object.values(await stockOf(db, shop.partner.shopId))) {
              const [quantity, reserved] = level.split('/').map(Number)
              expect(quantity).toBeGreaterThanOrEqual(reserved!)
            }
          }
        },
      ),
      { numRuns: 8 },
    )
  }, 120_000)
})
