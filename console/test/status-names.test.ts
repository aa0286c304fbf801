import { expect, it } from 'vitest'
import { exportsEn } from '../../server/src/texts/exports-en.ts'
import { exportsVi } from '../../server/src/texts/exports-vi.ts'
import { vi } from '../../server/src/texts/vi.ts'
import { messageTexts } from '../src/screens/messages/texts.ts'
import { orderTexts } from '../src/screens/orders/texts.ts'
import { productTexts } from '../src/screens/products/texts.ts'
import { templateTexts } from '../src/screens/templates/texts.ts'
import { walletTexts } from '../src/screens/wallet/texts.ts'

it('the statuses of an order and of a template have the same names in refusals and on screens', () => {
  expect(vi.orderStatus).toEqual(orderTexts.vi.statuses)
  expect(vi.templateStatus).toEqual(templateTexts.vi.statuses)
})

it.each([
  ['vi', exportsVi],
  ['en', exportsEn],
] as const)('G-121 the words in downloaded files are those on screens in %s', (language, words) => {
  const orders = orderTexts[language]
  const { ways, statuses } = messageTexts[language]
  expect(words).toMatchObject({
    orderStatus: orders.statuses,
    paymentStatus: orders.paymentStatuses,
    paymentMethod: orders.methods,
    platform: orders.channels,
    messageChannel: { phone: ways.phone, uid: ways.uid },
    messageStatus: {
      RECEIVED: statuses.RECEIVED,
      ERROR: statuses.ERROR,
      CANCELLED: statuses.CANCELLED,
    },
    walletEntry: walletTexts[language].types,
    productStatus: productTexts[language].statuses,
  })
})
