import { describe, expect, it } from 'vitest'
import { createSlots } from './slots.ts'

it('an owner takes no more than its own, all together no more than all', () => {
  const slots = createSlots({ ofOwner: 2, ofAll: 3 })
  expect(slots.take('a')).toBeDefined()
  expect(slots.take('a')).toBeDefined()
  expect(slots.take('a')).toBeUndefined()
  expect(slots.take('b')).toBeDefined()
  expect(slots.take('c')).toBeUndefined()
})

it('a slot is free again once it was given back, however often that is', () => {
  const slots = createSlots({ ofOwner: 2, ofAll: 2 })
  const first = slots.take('a')!
  slots.take('a')
  first()
  first()
  expect(slots.take('a')).toBeDefined()
  expect(slots.take('a')).toBeUndefined()
})

describe('slots kept for an owner’s first', () => {
  const take = (slots: ReturnType<typeof createSlots>, owners: string, each: number) =>
    [...owners].flatMap((owner) => Array.from({ length: each }, () => slots.take(owner)))
  const countOf = (taken: unknown[]) => taken.filter((one) => one !== undefined).length

  it('owners that take all they can leave one to each owner without any, until these are used up', () => {
    const slots = createSlots({ ofOwner: 8, ofAll: 24, keptForFirst: 8 })
    expect(countOf(take(slots, 'ab', 9))).toBe(16)
    expect(countOf(take(slots, 'cdefg', 9))).toBe(5)
    expect(countOf(take(slots, 'hij', 9))).toBe(3)
    expect(slots.take('k')).toBeUndefined()
  })

  it('one that was given back above the rest is not taken by an owner that has others', () => {
    const slots = createSlots({ ofOwner: 2, ofAll: 4, keptForFirst: 2 })
    const [, second] = take(slots, 'a', 2)
    take(slots, 'b', 1)
    second!()
    expect(slots.take('b')).toBeUndefined()
    expect(slots.take('c')).toBeDefined()
  })
})
