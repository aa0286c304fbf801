import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asJson, asList } from '../src/read.ts'
import {
  approvedTemplate,
  honestTemplate,
  type Platform,
  startPlatform,
  startReceiver,
  VALUES,
  waitFor,
} from './simulator.ts'

const receiver = await startReceiver()
let platform: Platform
let now = Date.parse('2026-11-20T03:00:00Z')

beforeEach(async () => {
  platform = await startPlatform({ reviewMs: -1, webhookUrl: receiver.url, now: () => now })
})
afterEach(() => platform.close())
afterAll(() => receiver.close())

const DAY_MS = 86_400_000
const settings = (values: object) => platform.post('/control/settings', values)
const send = (templateId: string, token = 'sim:oa1') =>
  platform.post(
    '/message/template',
    { phone: '84901234567', template_id: templateId, template_data: VALUES, tracking_id: 'm' },
    token,
  )
const eventsOf = (name: string) => receiver.events.filter(({ body }) => body.event_name === name)

describe('docs/reference/platform.md “Template limits”: 100 creates and 100 edits a day', () => {
  it('the 101st create of an OA is refused with -144 until midnight in Vietnam; another OA may', async () => {
    for (let n = 0; n < 100; n++) {
      expect(
        (await platform.post('/template/create', honestTemplate({ template_name: `Mẫu ${n}` }))).error,
      ).toBe(0)
    }
    expect((await platform.post('/template/create', honestTemplate())).error).toBe(-144)
    expect((await platform.post('/template/create', honestTemplate(), 'sim:oa2')).error).toBe(0)
    now += DAY_MS
    expect((await platform.post('/template/create', honestTemplate())).error).toBe(0)
  })

  it('edits are counted apart', async () => {
    await settings({ templateEditsPerDay: 1 })
    const made = await platform.post('/template/create', honestTemplate())
    const id = String(asJson(made.data).template_id)
    const edit = async () => {
      await platform.post(`/control/templates/${id}/reject`, {})
      return (await platform.post('/template/edit', honestTemplate({ template_id: id }))).error
    }
    expect([await edit(), await edit()]).toEqual([0, -144])
  })
})

describe('docs/reference/platform.md “Errors”: later and platform money', () => {
  it('a template’s day is used up with -147, promotion’s month with -1441; each opens with its period', async () => {
    const ordinary = await approvedTemplate(platform)
    const promotion = await approvedTemplate(platform, { tag: '3' })
    await settings({ templateDailyQuota: 2, monthlyPromotionQuota: 1 })
    expect([(await send(promotion)).error, (await send(promotion)).error]).toEqual([0, -1441])
    expect([
      (await send(ordinary)).error,
      (await send(ordinary)).error,
      (await send(ordinary)).error,
    ]).toEqual([0, 0, -147])
    now += 15 * DAY_MS
    expect([(await send(ordinary)).error, (await send(promotion)).error]).toEqual([0, 0])
  })

  it('a template’s sends are refused with -1471, a recipient’s with -1472, until the day is over; others may', async () => {
    const [one, other] = [
      await approvedTemplate(platform),
      await approvedTemplate(platform, { template_name: 'Mẫu thứ hai' }),
    ]
    await settings({ templateSendsPerDay: 1 })
    expect([(await send(one)).error, (await send(one)).error, (await send(other)).error]).toEqual([
      0, -1471, 0,
    ])
    await settings({ templateSendsPerDay: 0, recipientSendsPerDay: 1 })
    const toOther = { phone: '84901234568', template_id: one, template_data: VALUES, tracking_id: 'n' }
    expect([
      (await send(one)).error,
      (await send(other)).error,
      (await platform.post('/message/template', toOther)).error,
    ]).toEqual([0, -1472, 0])
    now += DAY_MS
    expect((await send(other)).error).toBe(0)
  })

  it('what the OA has paid is used up with -115; a message in development mode costs nothing', async () => {
    const template = await approvedTemplate(platform)
    await settings({ walletVnd: 450 })
    expect([
      (await send(template)).error,
      (await send(template)).error,
      (await send(template)).error,
    ]).toEqual([0, 0, -115])
    const development = {
      mode: 'development',
      phone: '84901234567',
      template_id: template,
      template_data: VALUES,
    }
    expect((await platform.post('/message/template', development)).error).toBe(0)
    await settings({ walletVnd: 10_000 })
    expect((await send(template)).error).toBe(0)
  })
})

describe('docs/reference/platform.md “Events”: quotas, quality, feedback', () => {
  it('a changed quota is reported to each OA and template', async () => {
    const template = await approvedTemplate(platform)
    await settings({ dailyQuota: 500, templateDailyQuota: 50 })
    const [ofOa] = await waitFor(() =>
      eventsOf('change_oa_daily_quota').length > 0 ? eventsOf('change_oa_daily_quota') : undefined,
    )
    expect(ofOa?.body.quota).toMatchObject({ new_daily_quota: '500' })
    await waitFor(() => eventsOf('change_template_quota').find(({ body }) => body.template_id === template))
  })

  it('a template’s quality is reported and shown', async () => {
    const template = await approvedTemplate(platform)
    await platform.post(`/control/templates/${template}/quality`, { quality: 'LOW' })
    await waitFor(() => eventsOf('change_template_quality').find(({ body }) => body.template_id === template))
    const info = await platform.get(`/template/info/v2?template_id=${template}`)
    expect(asJson(info.data).templateQuality).toBe('LOW')
  })

  it('a rating that the customer gives is reported as user_feedback; six stars are refused', async () => {
    const template = await approvedTemplate(platform)
    await send(template)
    const [message] = asList((await platform.get('/control/messages')).messages).map(asJson)
    const path = `/control/messages/${message?.msg_id}/feedback`
    expect((await platform.post(path, { rate: 6 })).message).toBe('rate must be 1 to 5')
    await platform.post(path, { rate: 4, note: 'Giao nhanh' })
    const told = await waitFor(() => eventsOf('user_feedback')[0])
    expect(told.body.message).toMatchObject({
      msg_id: message?.msg_id,
      tracking_id: 'm',
      rate: 4,
      note: 'Giao nhanh',
    })
  })
})
