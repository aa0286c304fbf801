import { expect, it } from 'vitest'
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
