import type { Catalogue } from './catalogue.ts'
import type { Call } from './recorder.ts'

/** Customers, orders (E12 to E14) and news (E15, E16). */
export async function callSales(call: Call, { productId, skuIds }: Catalogue): Promise<void> {
  const customer = (
    await call('createCustomer', {
      body: { fullName: 'Nguyễn Thị Lan', phone: '0912345678', birthday: '1990-11-24', note: 'Khách quen' },
    })
  ).data
  await call('updateCustomer', { params: { id: customer._id }, body: { note: 'Thích màu xanh' } })
  await call('listCustomers', { query: { search: 'lan' } })
  const conditions = [
    { kind: 'bought', productIds: [productId], days: 180 },
    { kind: 'notBought', days: 30 },
  ]
  await call('countAudience', { body: { conditions: [{ kind: 'birthday', month: 11 }] } })
  const audience = {
    id: (await call('createAudience', { body: { name: 'Lâu chưa mua lại', conditions } })).data._id,
  }
  await call('updateAudience', {
    params: audience,
    body: { name: 'Sinh nhật tháng 11', conditions: [{ kind: 'birthday', month: 11 }] },
  })
  await call('listAudiences')
  await call('getAudience', { params: audience })
  await call('readAudienceCustomers', { params: audience })
  await call('deleteAudience', { params: audience })
  await call('recordConsent', {
    body: { phone: '0987654321', status: 'withdrawn', source: 'Khách nói tại quầy' },
  })
  await call('listConsents', { query: { phone: '0987654321' } })

  const order = {
    userId: customer._id,
    orderItems: [{ id: skuIds[0], quantity: 2, discount: 10_000 }],
    shippingFee: 20_000,
    paymentMethod: 'cash',
    note: 'Gói quà',
  }
  await call('previewPosOrder', { body: order })
  const shift = { id: (await call('openShift', { body: { openingCash: 500_000 } })).data._id }
  const placed = (await call('createPosOrder', { body: { ...order, isPaid: true } })).data
  const params = { id: placed._id }
  await call('updateOrderStatus', { params, body: { status: 'confirmed' } })
  const later = (await call('createPosOrder', { body: { orderItems: [{ id: skuIds[1], quantity: 1 }] } }))
    .data
  await call('setOrderPayment', {
    params: { id: later._id },
    body: { paidAmount: 200_000, paymentMethod: 'cash' },
  })
  const completed = (
    await call('updateOrderStatus', { params: { id: later._id }, body: { status: 'completed' } })
  ).data
  await call('returnOrderGoods', {
    params: { id: later._id },
    body: {
      lines: [{ orderItemId: completed.orderItems[0]._id, quantity: 1 }],
      fee: 20_000,
      refundAmount: 100_000,
      note: 'Chật',
    },
  })
  await call('getOrderReturns', { params: { id: later._id } })
  await call('recordShiftCash', { params: shift, body: { amount: -60_000, reason: 'Mua túi giấy' } })
  const { expectedCash } = (await call('getShift', { params: shift, query: { select: 'payments' } })).data
  await call('listShifts', { query: { state: 'open' } })
  await call('closeShift', {
    params: shift,
    body: { countedCash: expectedCash - 5_000, expectedCash, note: 'Thối nhầm 5.000' },
  })
  await call('getCustomer', { params: { id: customer._id } })
  await call('importCustomers', {
    body: {
      customers: [
        { fullName: 'Trần Thị Bưởi', phone: '0912 000 451', birthday: '1990-11-24', openingDebt: 450_000 },
        { fullName: 'Lê Văn Cam', phone: '12' },
      ],
    },
  })
  await call('exportCustomers')
  await call('createPosOrder', { body: { ...order, paidAmount: 100_000 } })
  await call('getCustomerDebt', { params: { id: customer._id } })
  await call('payCustomerDebt', {
    params: { id: customer._id },
    body: { amount: 300_000, paymentMethod: 'transfer', note: 'Trả một phần' },
  })
  await call('getProfitReport', { query: { days: 2 } })
  await call('getGoodsWithoutCost', { query: { days: 2 } })
  await call('listOrders', { query: { status: 'confirmed', limit: 10 } })
  await call('getOrder', { params })
  await call('getOrderTimeline', { params })
  await call('exportOrders')
  await call('sumOrders', { query: { paymentStatus: 'owed' } })

  const article = (
    await call('createNews', { body: { title: 'Áo len đã về', content: '<p>Mẫu mới của mùa đông</p>' } })
  ).data
  const news = { id: article._id }
  await call('attachProductsToNews', { params: news, body: { newsIds: [productId] } })
  await call('updateNews', {
    params: news,
    body: { title: 'Áo len mùa đông đã về', status: 'active', images: ['https://images.example/ao-len.jpg'] },
  })
  await call('getNews', { params: news })
  await call('listNews')
  await call('detachProductsFromNews', { params: news, body: { newsIds: [productId] } })
  await call('deleteNews', { params: news })

  const written = { title: 'Khai xuân', content: '<p>Mở cửa từ mùng 6</p>' }
  const draft = { id: (await call('createNewsDraft', { body: { title: 'Khai xuân' } })).data._id }
  await call('updateNewsDraft', {
    params: draft,
    body: { ...written, publishAt: '2126-02-20T01:00:00.000Z' },
  })
  await call('listNewsDrafts')
  await call('getNewsDraft', { params: draft })
  await call('publishNewsDraft', { params: draft })
  await call('deleteNewsDraft', {
    params: { id: (await call('createNewsDraft', { body: written })).data._id },
  })
}
