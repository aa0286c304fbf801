import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { workOpenEvents, workPlatformEvent } from '../../../src/modules/platform-inbox/work-event.ts'
import { deleteOldRecords } from '../../../src/process/retention/retention.ts'
import { macOf, postRaw, storedEvents } from '../../support/platform-events.ts'
import { eventually, manage, service } from '../../support/service.ts'
import {
  approvedTemplate,
  control,
  createTemplate,
  makeShopWithOa,
  publish,
  TEMPLATES,
  templateBody,
  timeline,
  whenStatus,
} from '../../support/template-shop.ts'

const running = await service()
const { db } = running.deps

type Signing = { appId?: string; secret?: string }

const post = (oaId: string, raw: string | Buffer, mac: string | undefined) =>
  postRaw(running, `/${oaId}`, raw, mac)

function postEvent(oaId: string, event: object, signing: Signing = {}) {
  const raw = JSON.stringify({ ...event, timestamp: '1893456000000' })
  return post(oaId, raw, macOf(raw, '1893456000000', signing))
}

const eventsOf = (oaId: string) => storedEvents(running, oaId)

function whenProcessed(oaId: string, count = 1) {
  return eventually(async () => {
    const events = await eventsOf(oaId)
    return events.length >= count && events.every((event) => event.processed_at !== null) && events
  }, 10_000)
}

const statusEvent = (templateId: string, to: string, reason = '') => ({
  event_name: 'change_template_status',
  template_id: templateId,
  status: { prev_status: 'PENDING_REVIEW', new_status: to },
  reason,
})

describe('platform hook: who may call', () => {
  it('200 {ok: true} for a signed event, which is stored as it came', async () => {
    const { oaId } = await makeShopWithOa(running)
    const answer = await postEvent(oaId, { event_name: 'user_feedback', note: 'rất tốt', star: 5 })
    expect(answer).toEqual({ status: 200, body: { ok: true } })
    const [event] = await whenProcessed(oaId)
    expect(event).toMatchObject({
      name: 'user_feedback',
      outcome: 'kept',
      body: { event_name: 'user_feedback', note: 'rất tốt', star: 5, timestamp: '1893456000000' },
    })
  })

  it('401 and nothing stored without a signature, with a wrong one, or for other bytes', async () => {
    const { oaId } = await makeShopWithOa(running)
    const raw = '{"event_name":"user_feedback","timestamp":"1"}'
    const answers = [
      await post(oaId, raw, undefined),
      await post(oaId, raw, 'f'.repeat(64)),
      await post(oaId, `${raw} `, macOf(raw, '1')),
      await post(oaId, raw, macOf(raw, '1', { secret: 'another' })),
      await post(oaId, raw, macOf(raw, '1', { secret: '' })),
      await post(oaId, raw, 'not hex'),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([401, 401, 401, 401, 401, 401])
    expect(answers[0]?.body).toEqual({
      statusCode: 401,
      error: 'Unauthorized',
      message: 'The x-zevent-signature header does not match this event',
    })
    expect(await eventsOf(oaId)).toEqual([])
  })

  it('401 for an official account that no shop is linked with', async () => {
    expect((await postEvent('nobodys-oa', { event_name: 'x' })).status).toBe(401)
    expect(await eventsOf('nobodys-oa')).toEqual([])
  })

  it('an account linked with credentials is signed for with its own secret, no longer with the simulator’s', async () => {
    const credentials = { appId: 'app-7', secretKey: 'the-secret' }
    const { oaId } = await makeShopWithOa(running, credentials)
    const event = { event_name: 'user_feedback' }
    expect((await postEvent(oaId, event)).status).toBe(401)
    expect((await postEvent(oaId, event, { appId: 'app-8', secret: 'the-secret' })).status).toBe(401)
    expect((await postEvent(oaId, event, { appId: 'app-7', secret: 'the-secret' })).status).toBe(200)
  })

  it('413 for a body over 64 KB, of which the largest event has a small part', async () => {
    const { oaId } = await makeShopWithOa(running)
    const eventOf = (length: number) =>
      JSON.stringify({ event_name: 'x', fill: 'a'.repeat(length), timestamp: '1' })
    const [fits, tooLarge] = [eventOf(60 * 1024), eventOf(64 * 1024)]
    expect((await post(oaId, fits, macOf(fits, '1'))).status).toBe(200)
    const refused = await post(oaId, tooLarge, macOf(tooLarge, '1'))
    expect([refused.status, refused.body]).toEqual([
      413,
      {
        statusCode: 413,
        error: 'Payload Too Large',
        message: 'Body is larger than the limit of 64 KB',
      },
    ])
    expect(await eventsOf(oaId)).toHaveLength(1)
  })

  it('a body of more than 5,000 values is not parsed: 401 if it may be an event, else 200, nothing stored', async () => {
    const { oaId } = await makeShopWithOa(running)
    const numbers = (count: number) => `[${'1,'.repeat(count - 1)}1111111111111111]`
    const event = (count: number) => `{"event_name":"x","numbers":${numbers(count)},"timestamp":"1"}`
    const answers = [
      await post(oaId, event(4_000), macOf(event(4_000), '1')),
      await post(oaId, event(6_000), macOf(event(6_000), '1')),
      await post(oaId, numbers(6_000), undefined),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 200])
    expect(await eventsOf(oaId)).toHaveLength(1)
  })

  it('the log has at most 64 characters of each name that a stranger sends', async () => {
    const { oaId } = await makeShopWithOa(running)
    const lines: unknown[] = []
    const { warn } = running.deps.log
    running.deps.log.warn = (...line: unknown[]) => void lines.push(line)
    onTestFinished(() => {
      running.deps.log.warn = warn
    })
    const named = { sender: { id: 'a'.repeat(20_000) }, recipient: { id: 'b'.repeat(20_000) } }
    expect((await post(oaId, JSON.stringify({ event_name: 'x', ...named }), undefined)).status).toBe(401)
    expect(lines).toEqual([
      [
        { oaId, named: ['a'.repeat(64), 'b'.repeat(64)] },
        expect.stringContaining('another official account'),
      ],
    ])
  })

  it('401 and nothing stored for an event that names another account, whatever it is signed with', async () => {
    const { oaId } = await makeShopWithOa(running)
    const other = await makeShopWithOa(running)
    for (const named of [
      { oa_id: other.oaId },
      { oaId: other.oaId, sender: { id: oaId } },
      { sender: { id: other.oaId }, recipient: { id: '9' } },
    ]) {
      const answer = await postEvent(oaId, { event_name: 'x', ...named })
      expect([named, answer.status]).toEqual([named, 401])
    }
    expect([...(await eventsOf(oaId)), ...(await eventsOf(other.oaId))]).toEqual([])
    expect(
      (await postEvent(oaId, { event_name: 'x', sender: { id: '9' }, recipient: { id: oaId } })).status,
    ).toBe(200)
  })
})

describe('platform hook: what comes in', () => {
  it.each([
    ['no JSON', '<html>', 'unreadable'],
    ['JSON but no object', '[1]', 'unnamed'],
    ['a NUL and a lone surrogate', '{"event_name":"odd","text":"\\u0000\\ud800"}', 'odd'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 'unreadable'],
  ])('200 and kept: %s', async (_what, raw, name) => {
    const { oaId } = await makeShopWithOa(running)
    expect((await post(oaId, raw, macOf(raw, ''))).status).toBe(200)
    const [event] = await whenProcessed(oaId)
    expect(event).toMatchObject({ name, outcome: 'kept' })
  })

  it('a template number beyond 2^53 keeps its last digits', async () => {
    const partner = await makeShopWithOa(running)
    const draft = await createTemplate(partner, templateBody(partner.oaId))
    await sql`
      update templates set status = 'PENDING_REVIEW', platform_template_id = '9007199254740993'
      where shop_id = ${partner.shopId} and id = ${draft._id}`.execute(db)
    const raw =
      '{"event_name":"change_template_status","template_id":9007199254740993,"status":{"new_status":"DISABLE"},"timestamp":"1"}'
    expect((await post(partner.oaId, raw, macOf(raw, '1'))).status).toBe(200)
    // The simulator does not know this number, so the status in the event itself applies.
    await whenStatus(partner, draft._id, 'DISABLE')
  })
})

describe('G-16 template status by events', () => {
  it('ENABLE and DISABLE follow the platform, each change with one line, an event twice without a second', async () => {
    const partner = await makeShopWithOa(running)
    const approved = await approvedTemplate(partner)
    const change = (status: string) =>
      control(running, `/templates/${approved.templateId}/status`, { status })
    await change('DISABLE')
    const disabled = await whenStatus(partner, approved._id, 'DISABLE')
    expect(disabled).toMatchObject({ isSync: true, templateId: approved.templateId, price: 200 })
    await change('ENABLE')
    const enabled = await whenStatus(partner, approved._id, 'ENABLE')
    await postEvent(partner.oaId, statusEvent(approved.templateId, 'ENABLE'))
    const events = await whenProcessed(partner.oaId, 4)
    expect(events.map((event) => event.outcome)).toEqual(['applied', 'applied', 'applied', 'unchanged'])
    expect((await partner.get(`${TEMPLATES}/${approved._id}`)).body.data).toEqual(enabled)
    expect((await timeline(running, partner.shopId, approved._id)).slice(2)).toEqual([
      'PENDING_REVIEW>ENABLE webhook',
      'ENABLE>DISABLE webhook',
      'DISABLE>ENABLE webhook',
    ])
  })

  it('a late event about the past changes nothing: the platform’s current status counts', async () => {
    const partner = await makeShopWithOa(running)
    const approved = await approvedTemplate(partner)
    await postEvent(partner.oaId, statusEvent(approved.templateId, 'REJECT', 'cũ'))
    const events = await whenProcessed(partner.oaId, 2)
    expect(events[1]?.outcome).toBe('unchanged')
    expect((await partner.get(`${TEMPLATES}/${approved._id}`)).body.data).toEqual(approved)
  })

  it('one change reported several times at once gets one line', async () => {
    const partner = await makeShopWithOa(running)
    const approved = await approvedTemplate(partner)
    const event = statusEvent(approved.templateId, 'DISABLE')
    await Promise.all([
      control(running, `/templates/${approved.templateId}/status`, { status: 'DISABLE' }),
      ...Array.from({ length: 5 }, () => postEvent(partner.oaId, event)),
    ])
    await whenProcessed(partner.oaId, 7)
    const lines = await timeline(running, partner.shopId, approved._id)
    expect(lines.slice(3)).toEqual(['ENABLE>DISABLE webhook'])
  })

  it('a template deleted on the platform is DISABLE', async () => {
    const partner = await makeShopWithOa(running)
    const approved = await approvedTemplate(partner)
    await control(running, `/templates/${approved.templateId}/status`, { status: 'DELETE' })
    await whenStatus(partner, approved._id, 'DISABLE')
    const { rows } = await sql`
      select is_deleted_on_platform from templates
      where shop_id = ${partner.shopId} and id = ${approved._id}`.execute(db)
    expect(rows).toEqual([{ is_deleted_on_platform: true }])
  })

  it('several reasons joined by the platform are all kept', async () => {
    const partner = await makeShopWithOa(running)
    const approved = await approvedTemplate(partner)
    await control(running, `/templates/${approved.templateId}/reject`, { reason: 'Sai tên;Thiếu ghi chú' })
    const rejected = await whenStatus(partner, approved._id, 'REJECTED')
    expect(rejected).toMatchObject({ rejectReason: 'Sai tên;Thiếu ghi chú', isSync: false })
  })

  it('approved after all: what was approved comes back in place of what was edited since', async () => {
    const partner = await makeShopWithOa(running)
    const approved = await approvedTemplate(partner)
    await control(running, `/templates/${approved.templateId}/reject`, { reason: 'Nhầm' })
    await whenStatus(partner, approved._id, 'REJECTED')
    await partner.patch(`${TEMPLATES}/${approved._id}`, templateBody(partner.oaId, { name: 'Sửa rồi' }))
    await control(running, `/templates/${approved.templateId}/approve`, {})
    const again = await whenStatus(partner, approved._id, 'ENABLE')
    expect(again).toMatchObject({ name: approved.name, title: approved.title })
  })

  it('a template published again is not rejected by the decision on its former text', async () => {
    const partner = await makeShopWithOa(running)
    const approved = await approvedTemplate(partner)
    await control(running, `/templates/${approved.templateId}/reject`, { reason: 'Sai' })
    await whenStatus(partner, approved._id, 'REJECTED')
    // Published but not submitted yet, as while the platform cannot be reached.
    await sql`
      with revision as (
        insert into template_revisions (shop_id, id, template_id, number, document, created_at)
        select shop_id, ${'f'.repeat(24)}, template_id, 2, document, now()
        from template_revisions
        where shop_id = ${partner.shopId} and template_id = ${approved._id}
      )
      update templates set status = 'PENDING_REVIEW', version = version + 1
      where shop_id = ${partner.shopId} and id = ${approved._id}`.execute(db)
    await postEvent(partner.oaId, statusEvent(approved.templateId, 'REJECT', 'Sai'))
    await eventually(async () => (await eventsOf(partner.oaId)).some((event) => event.outcome === 'parked'))
    expect((await partner.get(`${TEMPLATES}/${approved._id}`)).body.data.status).toBe('PENDING_REVIEW')
  })

  it('an account of two shops: the template’s own shop changes, the other’s does not', async () => {
    const owner = await makeShopWithOa(running)
    const other = await makeShopWithOa(running)
    await manage(running, 'POST', `/shops/${other.shopId}/official-accounts`, {
      oaId: owner.oaId,
      name: 'Chung',
    })
    const mine = await approvedTemplate(owner, 'Xác nhận đơn của tiệm một')
    const theirs = await createTemplate(
      other,
      templateBody(owner.oaId, { name: 'Xác nhận đơn của tiệm hai' }),
    )
    await publish(other, theirs._id)
    const approved = await whenStatus(other, theirs._id, 'ENABLE')
    await control(running, `/templates/${approved.templateId}/status`, { status: 'DISABLE' })
    await whenStatus(other, theirs._id, 'DISABLE')
    expect((await owner.get(`${TEMPLATES}/${mine._id}`)).body.data).toEqual(mine)
  })
})

describe('G-16 events that match nothing yet', () => {
  it('are parked, matched by a later round, and given up after a day', async () => {
    const partner = await makeShopWithOa(running)
    await postEvent(partner.oaId, statusEvent('998877', 'DISABLE'))
    const parked = await eventually(async () => {
      const [event] = await eventsOf(partner.oaId)
      return event?.outcome === 'parked' && event
    })
    expect(parked.processed_at).toBeNull()
    await workPlatformEvent(running.deps, parked.id, { dueAt: null })
    expect((await eventsOf(partner.oaId))[0]).toMatchObject({ outcome: 'parked', processed_at: null })

    const draft = await createTemplate(partner, templateBody(partner.oaId))
    await sql`
      update templates set status = 'PENDING_REVIEW', platform_template_id = '998877'
      where shop_id = ${partner.shopId} and id = ${draft._id}`.execute(db)
    await sql`
      update platform_events set received_at = now() - interval '10 minutes'
      where id = ${parked.id}`.execute(db)
    await workOpenEvents(running.deps)
    expect((await partner.get(`${TEMPLATES}/${draft._id}`)).body.data.status).toBe('DISABLE')

    await postEvent(partner.oaId, statusEvent('112233', 'DISABLE'))
    const old = await eventually(async () => (await eventsOf(partner.oaId))[1])
    await sql`
      update platform_events set received_at = now() - interval '25 hours'
      where id = ${old.id}`.execute(db)
    await workOpenEvents(running.deps)
    expect((await eventsOf(partner.oaId))[1]?.outcome).toBe('unmatched')
  })

  it('a receipt that matches no message is closed after its last try', async () => {
    const { oaId } = await makeShopWithOa(running)
    const receipt = { event_name: 'user_received_message', sender: { id: oaId }, message: { msg_id: '1' } }
    await postEvent(oaId, receipt)
    const parked = await eventually(async () => {
      const [event] = await eventsOf(oaId)
      return event?.outcome === 'parked' && event
    })
    await workPlatformEvent(running.deps, parked.id, { dueAt: null })
    const [closed] = await eventsOf(oaId)
    expect(closed).toMatchObject({ outcome: 'unmatched' })
    expect(closed?.processed_at).toBeInstanceOf(Date)
  })
})

describe('the platform’s events are kept for 30 days after they were processed', () => {
  it('then it is deleted; one that is still open stays', async () => {
    const { oaId } = await makeShopWithOa(running)
    for (const name of ['old', 'recent', 'open']) await postEvent(oaId, { event_name: name })
    await eventually(async () => (await eventsOf(oaId)).every((event) => event.processed_at !== null))
    await sql`
      update platform_events
      set processed_at = case name
        when 'old' then now() - interval '31 days'
        when 'recent' then now() - interval '29 days'
      end
      where oa_id = ${oaId}`.execute(db)
    await deleteOldRecords(running.deps, 'events of the platform')
    expect((await eventsOf(oaId)).map((event) => event.name)).toEqual(['recent', 'open'])
  })
})
