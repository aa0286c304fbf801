import { eventually } from '../support/service.ts'
import type { Call } from './recorder.ts'

/** An export of all customers, and a later change from the feed. */
export async function callCopies(call: Call): Promise<void> {
  const made = (await call('createExport', { body: { type: 'customer' } })).data
  await call('downloadExport', { params: { id: made._id } })
  const { customers } = (await call('listCustomers')).data
  await call('updateCustomer', { params: { id: customers[0]._id }, body: { note: 'Thích màu đỏ' } })
  const asked = { query: { after: made.cursor, types: 'customer', limit: 10 }, isLatest: true }
  await eventually(async () => (await call('readChanges', asked)).data.changes.length > 0, 15_000)
}
