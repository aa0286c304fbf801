import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventTimestamp, parseEvent, verifySignature } from '../../src/platform/chatapp/inbound.ts'

const receivedAt = new Date('2026-03-01T03:00:00Z')
const rawBody = Buffer.from(
  '{"event_name":"user_received_message","timestamp":"1772334000000","t":"Đã giao"}',
)
const timestamp = '1772334000000'
const sign = (secret: string, body = rawBody) =>
  `mac=${createHash('sha256')
    .update(Buffer.concat([Buffer.from('app'), body, Buffer.from(timestamp + secret)]))
    .digest('hex')}`
const base = { signer: 'app', secret: 'new', rawBody, timestamp }

describe('event signature', () => {
  it('accepts the secret, in either letter case', () => {
    expect(verifySignature({ ...base, header: sign('new') })).toBe(true)
    expect(verifySignature({ ...base, header: sign('new').toUpperCase().replace('MAC=', 'mac=') })).toBe(true)
    expect(verifySignature({ ...base, timestamp: Number(timestamp), header: sign('new') })).toBe(true)
  })

  it.each([
    ['another secret', { header: sign('other') }],
    ['another body', { header: sign('new'), rawBody: Buffer.from('{}') }],
    ['another timestamp', { header: sign('new'), timestamp: '1772334000001' }],
    ['another app', { header: sign('new'), signer: 'other' }],
    ['no header', { header: undefined }],
    ['a cut header', { header: sign('new').slice(0, -2) }],
    ['a header that is no hex', { header: `mac=${'z'.repeat(64)}` }],
    ['an empty secret', { header: sign(''), secret: '' }],
  ])('refuses %s', (_name, change) => {
    expect(verifySignature({ ...base, ...change })).toBe(false)
  })

  it('the timestamp is taken as written', () => {
    expect(eventTimestamp(rawBody)).toBe(timestamp)
    expect(eventTimestamp('{"timestamp":1772334000000}')).toBe(timestamp)
    expect(eventTimestamp('{}')).toBeUndefined()
  })
})

describe('event parsing: receipts', () => {
  const event = {
    event_name: 'user_received_message',
    sender: { id: '579745863508352884' },
    recipient: { id: '9' },
    message: { delivery_time: '1772334001000', msg_id: 'm1', tracking_id: 't1' },
    timestamp: '1772334002000',
  }

  it('takes the delivery time, not the event’s', () => {
    expect(parseEvent(event, receivedAt)).toEqual({
      kind: 'receipt',
      oaId: '579745863508352884',
      userId: '9',
      msgId: 'm1',
      trackingId: 't1',
      deliveredAt: new Date(1772334001000),
    })
  })

  it('takes times as numbers, and falls back to the event’s time and then the arrival', () => {
    const withTime = { ...event, timestamp: 1772334002000, message: { msg_id: 'm1' } }
    expect(parseEvent(withTime, receivedAt)).toMatchObject({ deliveredAt: new Date(1772334002000) })
    expect(parseEvent({ ...withTime, timestamp: undefined }, receivedAt)).toMatchObject({
      deliveredAt: receivedAt,
    })
  })

  it('is a receipt with either id alone, and not with neither', () => {
    expect(parseEvent({ ...event, message: { tracking_id: 't1' } })).toMatchObject({
      kind: 'receipt',
      trackingId: 't1',
    })
    expect(parseEvent({ ...event, message: { msg_id: 7 } })).toMatchObject({ kind: 'receipt', msgId: '7' })
    expect(parseEvent({ ...event, message: {} })).toMatchObject({
      kind: 'other',
      name: 'user_received_message',
    })
  })

  it('keeps ids beyond 2^53 exact when given the bytes', () => {
    const bytes = Buffer.from(
      '{"event_name":"user_received_message","message":{"msg_id":9007199254740993123}}',
    )
    expect(parseEvent(bytes)).toMatchObject({ kind: 'receipt', msgId: '9007199254740993123' })
  })
})

describe('event parsing: template status (G-16)', () => {
  const event = {
    event_name: 'change_template_status',
    oa_id: '579',
    template_id: 321,
    status: { prev_status: 'PENDING_REVIEW', new_status: 'REJECT' },
    reason: 'a;b',
    timestamp: '1772334002000',
  }

  it('maps the platform’s words to ours', () => {
    expect(parseEvent(event)).toEqual({
      kind: 'template-status',
      oaId: '579',
      platformTemplateId: '321',
      to: 'REJECTED',
      deleted: false,
      reason: 'a;b',
    })
  })

  it('a deleted template is DISABLE and deleted', () => {
    expect(parseEvent({ ...event, status: { new_status: 'DELETE' } })).toMatchObject({
      to: 'DISABLE',
      deleted: true,
    })
  })

  it('is other with an unknown status or without a number', () => {
    expect(parseEvent({ ...event, status: { new_status: 'HM' } })).toMatchObject({ kind: 'other' })
    expect(parseEvent({ ...event, template_id: undefined })).toEqual({
      kind: 'other',
      name: 'change_template_status',
      oaId: '579',
    })
  })
})

describe('event parsing: everything else', () => {
  it.each([
    ['{"event_name":"user_feedback"}', 'user_feedback'],
    ['{"event_name":"change_oa_daily_quota","quota":1}', 'change_oa_daily_quota'],
    ['{}', 'unnamed'],
    ['not json', 'unreadable'],
    ['null', 'unreadable'],
    [undefined, 'unreadable'],
  ])('%s is other: %s', (raw, name) => {
    expect(parseEvent(raw)).toEqual({ kind: 'other', name })
  })

  it('never throws, whatever the fields hold', () => {
    const name = fc.constantFrom('user_received_message', 'change_template_status', 'x')
    const fields = fc.record(
      {
        event_name: name,
        message: fc.anything(),
        status: fc.anything(),
        timestamp: fc.anything(),
        template_id: fc.anything(),
        sender: fc.anything(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(fields, fc.anything(), fc.string()), (raw) => {
        const event = parseEvent(raw, receivedAt)
        if (event.kind === 'receipt') expect(Number.isNaN(event.deliveredAt.getTime())).toBe(false)
      }),
      { numRuns: 500 },
    )
  })
})
