import { expect, it } from 'vitest'
import { vi } from '../../server/src/texts/vi.ts'
import { orderTexts } from '../src/screens/orders/texts.ts'
import { templateTexts } from '../src/screens/templates/texts.ts'

it('the statuses of an order and of a template have the same names in refusals and on screens', () => {
  expect(vi.orderStatus).toEqual(orderTexts.vi.statuses)
  expect(vi.templateStatus).toEqual(templateTexts.vi.statuses)
})
