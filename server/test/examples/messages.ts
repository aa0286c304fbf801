import { isNight } from '../../src/lib/time/vietnam-time.ts'
import { orderTemplate } from '../support/sending.ts'
import { eventually } from '../support/service.ts'
import type { Call } from './recorder.ts'

const HOUR_MS = 3_600_000
const VALUES = { customer_name: 'Nguyễn Thị Lan', order_code: 'DH1024' }

/** Calls for templates (E1 to E4), messages (E5 to E7), batches and the wallet. Returns the id of a message. */
export async function callMessages(call: Call, oaId: string): Promise<string> {
  const draft = orderTemplate(oaId)
  await call('lintTemplate', { body: draft })
  const template = (await call('createTemplate', { body: draft })).template
  const params = { id: template._id }
  await call('updateTemplate', { params, body: { ...draft, note: 'Gửi sau khi xác nhận' } })
  await call('publishTemplate', { params })
  await eventually(
    async () => (await call('getTemplate', { params, isLatest: true })).data.status === 'ENABLE',
    15_000,
  )
  await call('listTemplates', { query: { status: 'ENABLE' } })
  await call('getTemplateTimeline', { params })
  await call('previewTemplate', { params })
  const text = 'Don <order_code> cua ban da duoc xac nhan'
  await call('setTemplateSms', { params, body: { text } })
  await call('getTemplateSms', { params })
  const written = { name: 'Báo hàng về', content: '{"title":"Hàng bạn chờ"}' }
  const unfinished = { id: (await call('createUnfinishedTemplate', { body: written })).data._id }
  await call('updateUnfinishedTemplate', { params: unfinished, body: { ...written, name: 'Báo hàng đã về' } })
  await call('listUnfinishedTemplates')
  await call('getUnfinishedTemplate', { params: unfinished })
  await call('deleteUnfinishedTemplate', { params: unfinished })
  const copy = (await call('duplicateTemplate', { params })).template
  await call('deleteTemplate', { params: { id: copy._id } })

  const message = { templateId: template._id, receiverPhone: '0912345678', params: VALUES }
  await call('sendMessageToPhone', { body: message })
  const messageId: string = (await call('listMessages')).histories[0]._id
  const read = { params: { id: messageId }, isLatest: true }
  await eventually(async () => (await call('getMessage', read)).data.events.length >= 3, 15_000)
  await call('listMessages', { isLatest: true })
  await call('exportMessages', { isLatest: true })
  await call('listWalletEntries', { query: { limit: 2 } })
  await call('downloadWalletStatement', {
    query: { month: new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 7) },
  })
  const byUid = { templateId: template._id, userUID: '4129837465201', templateData: VALUES }
  await call('sendMessageToUid', { body: byUid })
  await call('sendMessageToPhone', {
    body: { ...message, receiverPhone: '0987654321' },
    headers: { prefer: 'respond-async' },
  })
  await call('sendMessageToUid', {
    body: { ...byUid, userUID: '4129837465202' },
    headers: { prefer: 'respond-async' },
  })
  const sent = async () =>
    (await call('listMessages')).histories.map(({ status }: { status: string }) => status)
  await eventually(async () => !(await sent()).includes('SENDING'), 15_000)
  await callBatches(call, template._id)
  await call('listOfficialAccounts')
  const isSettled = async () => (await call('getWallet', { isLatest: true })).held === 0
  await eventually(isSettled, 15_000)
  await call('setWalletAlert', { body: { lowBelow: 50_000 } })
  await call('getWalletAlert')
  const delivered = async () => (await call('getOverview', { isLatest: true })).data.days.at(-1).delivered
  await eventually(async () => (await delivered()) === 4, 15_000)
  await call('getTemplateReport')
  return messageId
}

async function callBatches(call: Call, templateId: string): Promise<void> {
  const messages = ['0912345678', '0987654321'].map((receiverPhone) => ({ receiverPhone, params: VALUES }))
  // Tomorrow by day, since a preview says more at night.
  const tomorrow = new Date(Date.now() + 24 * HOUR_MS)
  const scheduledAt = new Date(tomorrow.getTime() + (isNight(tomorrow) ? 8 * HOUR_MS : 0)).toISOString()
  const body = { templateId, messages, name: 'Khách tháng này', scheduledAt }
  await call('previewBatch', { body: { templateId, messages, scheduledAt } })
  const params = { id: (await call('sendBatch', { body })).data._id }
  await call('getBatch', { params })
  await call('listBatches')
  await call('cancelBatch', { params })

  await call('createCustomer', { body: { fullName: 'Trần Thị Hoa', phone: '0987654321' } })
  const conditions = [{ kind: 'notBought', days: 30 }]
  const { _id: audienceId } = (await call('createAudience', { body: { name: 'Lâu chưa mua', conditions } }))
    .data
  const toAudience = { audienceId, templateId, params: { ...VALUES, customer_name: '{fullName}' } }
  await call('previewBatchToAudience', { body: { ...toAudience, scheduledAt } })
  const sent = (await call('sendBatchToAudience', { body: { ...toAudience, scheduledAt } })).data
  await call('cancelBatch', { params: { id: sent._id } })
}
