import { describe, expect, it } from 'vitest'
import {
  type Draft,
  emptyDraft,
  newBlock,
  newButton,
  newRatingItem,
  newRow,
  usedKeys,
} from '../src/screens/templates/editor/draft.ts'

const used = (change: Partial<Draft>) => usedKeys({ ...emptyDraft('oa'), ...change })
const rating = (change: object) => ({
  contentBlocks: [{ ...newBlock('rating'), rating: { items: [{ ...newRatingItem(5), ...change }] } }],
})

describe('G-13 the editor declares a parameter', () => {
  it.each<[string, Partial<Draft>]>([
    ['the title', { title: '<x>' }],
    ['a paragraph', { contentBlocks: [{ ...newBlock('paragraph'), value: 'Chào <x>' }] }],
    ['a row’s label', { contentBlocks: [{ ...newBlock('table'), rows: [{ ...newRow(), label: '<x>' }] }] }],
    ['a row’s value', { contentBlocks: [{ ...newBlock('table'), rows: [{ ...newRow(), key: '<x>' }] }] }],
    ['a button’s label', { buttons: [{ ...newButton(), label: 'Xem <x>' }] }],
    ['a button’s address', { buttons: [{ ...newButton(), value: 'https://a.example/<x>' }] }],
    ['a rating’s title', rating({ title: '<x>' })],
    ['a rating’s question', rating({ question: '<x>' })],
    ['a rating’s answer', rating({ answers: ['Tốt', '<x>'] })],
    ['a rating’s thanks', rating({ thanks: '<x>' })],
    ['a rating’s description', rating({ description: '<x>' })],
  ])('in %s', (_, change) => {
    expect(used(change)).toEqual(['x'])
  })

  it('in a voucher, and in no block of another type', () => {
    const voucher = { ...newBlock('voucher').voucher, code: '<x>', condition: '<y>' }
    expect(used({ contentBlocks: [{ ...newBlock('voucher'), voucher }] })).toEqual(['x', 'y'])
    expect(used({ contentBlocks: [{ ...newBlock('paragraph'), voucher }] })).toEqual([])
  })
})
