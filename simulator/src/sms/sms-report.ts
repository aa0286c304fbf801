import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { drawEventFaults } from '../faults/faults.ts'
import { later, type State } from '../state.ts'
import type { Sms } from './sms-state.ts'

const EVENT = 'sms_report'
const TRIES = 5
const TRY_AGAIN_MS = 1_000

/**
 * Reports the outcome of an SMS to the address that its sender gave, with an unsigned GET; up to five times if there is
 * no response. Faults of `events:sms_report` apply.
 */
export async function reportSms(state: State, sms: Sms, tries = 1): Promise<void> {
  if (sms.callbackUrl === '' || !URL.canParse(sms.callbackUrl)) return
  const faults = drawEventFaults(state, EVENT)
  if (state.settings.suppressEvents || faults.kinds.has('lost')) return
  if (faults.latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, faults.latencyMs).unref())
  const isAnswered =
    !faults.kinds.has('outage') && (await get(addressOf(sms, faults.kinds.has('bad-signature'))))
  if (faults.kinds.has('twice')) await get(addressOf(sms, false))
  if (isAnswered || tries >= TRIES) return
  later(state, TRY_AGAIN_MS * state.settings.repeatScale, () => void reportSms(state, sms, tries + 1))
}

function addressOf(sms: Sms, isForged: boolean): URL {
  const url = new URL(sms.callbackUrl)
  if (isForged) url.pathname += 'x'
  const fields = {
    SMSID: sms.id,
    SendFailed: sms.isSuccess === false ? '1' : '0',
    SendStatus: String(sms.status),
    SendSuccess: sms.isSuccess === true ? '1' : '0',
    TotalPrice: `${sms.chargeVnd}.0000`,
    TotalReceiver: '1',
    TotalSent: '1',
    RequestId: sms.requestId,
    TypeId: '2',
    telcoid: '1',
    phonenumber: sms.phone,
    switchsmsid: '',
  }
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return url
}

function get(url: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const call = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      agent: false,
      timeout: 2_000,
    })
    call.on('timeout', () => call.destroy())
    call.on('response', (res) => {
      res.resume()
      res.on('end', () => resolve(res.statusCode === 200))
      res.on('error', () => resolve(false))
    })
    call.on('error', () => resolve(false))
    call.end()
  })
}
