import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asJson, asList, type Json } from '../src/read.ts'
import { type Platform, startPlatform, waitFor } from './simulator.ts'

const reports: URLSearchParams[] = []
const statuses: number[] = []
const receiver = createServer((req, res) => {
  reports.push(new URL(req.url ?? '', 'http://here.example').searchParams)
  res.statusCode = statuses.shift() ?? 200
  res.end()
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const reportTo = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/report`

let platform: Platform
beforeEach(async () => {
  reports.length = 0
  platform = await startPlatform({ repeatScale: 0.01 })
})
afterEach(() => platform.close())
afterAll(() => {
  receiver.close()
})

const CALLS = '/MainService.svc/json'
const send = (change: Json = {}) =>
  platform.post(`${CALLS}/SendMultipleMessage_V4_post_json/`, {
    ApiKey: 'a',
    SecretKey: 's',
    Phone: '0901119999',
    Content: 'Xin chao',
    Brandname: 'CUAHANG',
    SmsType: '2',
    IsUnicode: '0',
    RequestId: 'r1',
    CallbackUrl: reportTo,
    ...change,
  })
const status = (id: unknown) => platform.get(`${CALLS}/GetSendStatus?RefId=${id}&ApiKey=a&SecretKey=s`)
const sent = async () => asList((await platform.get('/control/sms')).sms).map(asJson)
const reported = (count = 1) => waitFor(() => (reports.length >= count ? reports : undefined))

describe('docs/reference/sms.md: the stand-in provider of SMS', () => {
  it('accepts, sends and reports by GET with the request’s id and the counts', async () => {
    const answer = await send()
    expect(answer).toMatchObject({ CodeResult: '100', SMSID: expect.any(String) })
    const [report] = await reported()
    expect(Object.fromEntries(report!)).toMatchObject({
      SMSID: answer.SMSID,
      RequestId: 'r1',
      SendStatus: '5',
      SendSuccess: '1',
      SendFailed: '0',
      TypeId: '2',
      phonenumber: '0901119999',
    })
    expect(await status(answer.SMSID)).toMatchObject({ CodeResponse: '100', SendStatus: 5, SendSuccess: 1 })
  })

  it('takes a request once: the second is 124 and is not sent', async () => {
    await send()
    expect((await send()).CodeResult).toBe('124')
    expect((await send({ RequestId: 'r2' })).CodeResult).toBe('100')
    expect(await sent()).toHaveLength(2)
  })

  it.each<[string, Json, string]>([
    ['no key', { ApiKey: '' }, '101'],
    ['no brandname', { Brandname: '' }, '104'],
    ['a number that is none', { Phone: '123' }, '108'],
    ['a number that is blocked', { Phone: '0901909999' }, '108'],
    ['another kind', { SmsType: '9' }, '118'],
    ['no text', { Content: '' }, '146'],
  ])('refuses %s', async (_name, change, code) => {
    expect((await send(change)).CodeResult).toBe(code)
    expect(await sent()).toEqual([])
  })

  it('refuses what its settings say: keys, brandnames, balance, the next so many', async () => {
    const set = (values: Json) => platform.post('/control/settings', values)
    await set({ smsSecretKey: 'other' })
    expect((await send()).CodeResult).toBe('101')
    await set({ smsSecretKey: '', smsBrandnames: ['KHAC'] })
    expect((await send()).CodeResult).toBe('104')
    await set({ smsBrandnames: [], smsBalanceVnd: 0 })
    expect((await send()).CodeResult).toBe('103')
    await set({ smsBalanceVnd: 1_000, smsRefusals: { code: 177, times: 1 } })
    expect((await send()).CodeResult).toBe('177')
    expect((await send()).CodeResult).toBe('100')
    expect((await platform.get('/control/settings')).smsBalanceVnd).toBe(650)
    expect(JSON.stringify(await platform.get('/control/settings'))).not.toContain('smsSecretKey')
  })

  it('a number with 91 before its last four fails after it was accepted', async () => {
    const { SMSID } = await send({ Phone: '0901919999' })
    expect((await reported())[0]!.get('SendFailed')).toBe('1')
    expect(await status(SMSID)).toMatchObject({ SendStatus: 5, SendSuccess: 0, SendFailed: 1 })
  })

  it('94 is not reported, 95 twice, 96 before the answer; an unknown id is 105', async () => {
    const { SMSID } = await send({ Phone: '0901949999' })
    await waitFor(async () => ((await status(SMSID)).SendSuccess === 1 ? true : undefined))
    expect(reports).toEqual([])
    await send({ Phone: '0901959999', RequestId: 'r2' })
    await reported(2)
    await send({ Phone: '0901969999', RequestId: 'r3' })
    expect(reports.at(-1)!.get('RequestId')).toBe('r3')
    expect((await status('nothing')).CodeResponse).toBe('105')
  })

  it('a report that no server accepts is sent again, a late one waits', async () => {
    statuses.push(500, 500)
    await send()
    await reported(3)
    await platform.post('/control/settings', { smsCallbackMs: 60_000 })
    const { SMSID } = await send({ RequestId: 'r2' })
    expect(await status(SMSID)).toMatchObject({ SendStatus: 2, SendSuccess: 0, SendFailed: 0 })
    expect(reports).toHaveLength(3)
  })
})
