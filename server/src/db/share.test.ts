import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { asRequestOf, createLender, DatabaseBusy, inShareOf, noteCommit } from './share.ts'

const WAIT_MS = 400

it('a request that has committed reads before those of its shop that have not begun, and waits as long again', async () => {
  // Of two connections, a shop that is alone gets one.
  const lender = createLender(2)
  const order: string[] = []
  const others = await inShareOf('shop', () => lender.take(WAIT_MS))
  const begun = asRequestOf('shop', async () => {
    await lender.take(WAIT_MS)
    order.push('first')
    await pause(10)
    noteCommit()
    lender.give('shop')
    await lender.take(WAIT_MS)
    order.push('second')
    lender.give('shop')
  })
  await pause(WAIT_MS * 0.8)
  const later = ['one', 'two'].map((name) =>
    asRequestOf('shop', async () => {
      await lender.take(WAIT_MS)
      order.push(name)
      await pause(WAIT_MS * 0.5)
      lender.give('shop')
    }),
  )
  lender.give(others.owner)
  await Promise.all([begun, ...later])
  expect(order).toEqual(['first', 'one', 'second', 'two'])
})

it('one that has not committed has one limit for all its waits', async () => {
  const lender = createLender(2)
  const others = await inShareOf('shop', () => lender.take(WAIT_MS))
  const refused = asRequestOf('shop', async () => {
    await lender.take(WAIT_MS)
    lender.give('shop')
    await inShareOf('shop', () => lender.take(WAIT_MS))
    await lender.take(WAIT_MS)
  })
  const isRefused = expect(refused).rejects.toBeInstanceOf(DatabaseBusy)
  await pause(WAIT_MS * 0.8)
  const startedAt = performance.now()
  lender.give(others.owner)
  await isRefused
  expect(performance.now() - startedAt).toBeLessThan(WAIT_MS * 0.8)
})
