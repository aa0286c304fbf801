import { describe, expect, it } from 'vitest'
import { allOrders, type ColumnSort, nextOrder, sortingOf } from '../src/components/lists/sorting/sorting.ts'

const NAME: ColumnSort = { by: 'name', of: 'text' }
const CREATED: ColumnSort = { by: 'createdAt', of: 'time', isFixed: true }
const BALANCE: ColumnSort = { by: 'balance', of: 'number', isFixed: true }

const ordered = (asked: string, usual?: string) => {
  const columns = [NAME, CREATED, BALANCE].map((sort) => ({ sort }))
  const said: string[] = []
  return { ...sortingOf(columns, asked, ({ sort }) => said.push(sort), usual), said }
}

describe('the order of a list', () => {
  it('goes from press to press to each direction that the API knows, then back to the usual one', () => {
    expect(nextOrder(NAME, ordered(''))).toBe('name')
    expect(nextOrder(NAME, ordered('name'))).toBe('-name')
    expect(nextOrder(NAME, ordered('-name'))).toBe('-createdAt')
    expect(nextOrder(BALANCE, ordered('-name'))).toBe('balance')
    expect(nextOrder(BALANCE, ordered('balance'))).toBe('-createdAt')
    expect(nextOrder(CREATED, ordered('balance'))).toBe('-createdAt')
  })

  it('is the newest first where that is the usual one, also beside a column of another time', () => {
    const columns = [NAME, { by: 'updatedAt', of: 'time' } as const].map((sort) => ({ sort }))
    expect(allOrders(columns, '-createdAt')).toEqual([
      '-createdAt',
      'name',
      '-name',
      '-updatedAt',
      'updatedAt',
    ])
    expect(allOrders(columns, '-updatedAt')).toEqual(['name', '-name', '-updatedAt', 'updatedAt'])
  })

  it('is the usual one for what no column has, and the address says nothing of that one', () => {
    for (const asked of ['', 'price', '-balance', 'createdAt'])
      expect(ordered(asked).order).toBe('-createdAt')
    const { setOrder, said, order } = ordered('', 'name')
    expect(order).toBe('name')
    for (const next of ['-name', 'name', '-createdAt']) setOrder(next)
    expect(said).toEqual(['-name', '', '-createdAt'])
  })
})
