import { requestIdNow } from '../../lib/request-id.ts'
import type { SecretBox } from '../../lib/secrets/secret-box.ts'
import { smsSize } from '../../lib/text/sms-parts.ts'
import { asNumber, asRecord, asText, parseWireJson } from '../chatapp/wire.ts'
import { callHttp } from '../http-call.ts'
import { networkFailure } from '../network-failure.ts'
import type { MessageProvider, SendingAccount, TextContent } from '../provider.ts'
import type { PlatformMessageStatus, PlatformOutcome, PlatformUnknown } from '../types.ts'
import { classOfEsmsCode, describeEsmsCode } from './esms-codes.ts'
import { type EsmsKeys, openEsmsKeys } from './esms-keys.ts'

const ACCEPTED = 100
const NO_SUCH_MESSAGE = 105
const DUPLICATE_REQUEST = 124
/** The message type for customer care; 1 would be advertising. */
const CUSTOMER_CARE = '2'

/**
 * eSMS over its public HTTP interface: plain text from a brandname. If a message is handed over again with the same
 * tracking id, eSMS does not send it twice, but responds that it has it already. Every response without a known number
 * is `unknown`. Source: docs/reference/sms.md.
 */
export function createEsmsProvider({
  esmsUrl,
  timeoutMs,
  secrets,
}: {
  esmsUrl: string
  timeoutMs: number
  secrets: SecretBox
}): MessageProvider<TextContent> {
  const base = `${esmsUrl.replace(/\/$/, '')}/MainService.svc/json`

  async function exchange(
    account: SendingAccount,
    call: (keys: EsmsKeys) => { url: string; body?: Record<string, string> },
  ): Promise<{ failure: PlatformUnknown } | { answer: Record<string, unknown> }> {
    let keys: EsmsKeys
    try {
      keys = openEsmsKeys(secrets, account.credentials)
    } catch {
      return { failure: unknown('the keys of the SMS sender could not be opened', true) }
    }
    const { url, body } = call(keys)
    const requestId = requestIdNow()
    const headers: Record<string, string> = requestId === null ? {} : { 'x-request-id': requestId }
    if (body !== undefined) headers['content-type'] = 'application/json'
    let response: { status: number; text: string }
    try {
      response = await callHttp(url, { headers, body: body && JSON.stringify(body), timeoutMs })
    } catch (error) {
      return { failure: networkFailure(error) }
    }
    // The response may come from an intermediary, after eSMS has acted.
    const { status, text } = response
    if (status < 200 || status > 299) return { failure: unknown(`HTTP ${status}`) }
    try {
      return { answer: asRecord(parseWireJson(text)) }
    } catch {
      return { failure: unknown(`HTTP ${status} without readable JSON`) }
    }
  }

  return {
    dropsRepeats: true,
    async send(account, { to, content: { text }, trackingId, isSample, reportTo }) {
      if (!('phone' in to)) return refused(108, 'SMS go to phone numbers only', undefined)
      const exchanged = await exchange(account, (keys) => ({
        url: `${base}/SendMultipleMessage_V4_post_json/`,
        body: {
          ApiKey: keys.apiKey,
          SecretKey: keys.secretKey,
          Phone: to.phone.replace(/^84/, '0'),
          Content: text,
          Brandname: account.accountId,
          SmsType: CUSTOMER_CARE,
          IsUnicode: smsSize(text).alphabet === 'ucs2' ? '1' : '0',
          Sandbox: isSample ? '1' : '0',
          RequestId: trackingId,
          ...(reportTo === undefined ? {} : { CallbackUrl: `${reportTo}/${keys.reportKey}` }),
        },
      }))
      if ('failure' in exchanged) return exchanged.failure
      const { answer } = exchanged
      const code = asNumber(answer.CodeResult)
      const msgId = asText(answer.SMSID) ?? ''
      if (code === DUPLICATE_REQUEST) return { kind: 'ok', data: { msgId }, raw: answer }
      if (code === ACCEPTED) {
        return msgId === ''
          ? unknown('accepted without an SMSID')
          : { kind: 'ok', data: { msgId }, raw: answer }
      }
      return refused(code, asText(answer.ErrorMessage), answer)
    },

    async messageStatus(account, msgId) {
      const exchanged = await exchange(account, ({ apiKey: ApiKey, secretKey: SecretKey }) => ({
        url: `${base}/GetSendStatus?${new URLSearchParams({ RefId: msgId, ApiKey, SecretKey })}`,
      }))
      if ('failure' in exchanged) return exchanged.failure
      const { answer } = exchanged
      const code = asNumber(answer.CodeResponse) ?? asNumber(answer.CodeResult)
      if (code === NO_SUCH_MESSAGE) return { kind: 'ok', data: { status: 'unknown' }, raw: answer }
      if (code !== ACCEPTED) return refused(code, asText(answer.ErrorMessage), answer)
      const status = esmsStatus(answer)
      return status === undefined
        ? unknown('a status without the expected fields')
        : { kind: 'ok', data: { status }, raw: answer }
    },
  }
}

/** eSMS rejected it before it was sent. */
const REJECTED = 4
/** Sent; the counts of delivered and failed SMS tell the outcome. */
const SENT = 5

/** The status of one SMS, from the counts in a status response or in a report. */
export function esmsStatus(fields: Record<string, unknown>): PlatformMessageStatus['status'] | undefined {
  const status = asNumber(fields.SendStatus)
  if (status === undefined) return undefined
  if (status === REJECTED) return 'failed'
  if (status !== SENT) return 'pushed'
  if ((asNumber(fields.SendSuccess) ?? 0) > 0) return 'delivered'
  return (asNumber(fields.SendFailed) ?? 0) > 0 ? 'failed' : 'pushed'
}

function refused<T>(code: number | undefined, text: string | undefined, raw: unknown): PlatformOutcome<T> {
  if (code === undefined) return unknown('a response without a number')
  const rejectClass = classOfEsmsCode(code)
  if (rejectClass === undefined) return unknown(`eSMS answered ${code}`)
  return {
    kind: 'rejected',
    code,
    class: rejectClass,
    message: text ?? describeEsmsCode(code, 'en') ?? '',
    raw,
  }
}

function unknown(cause: string, surelyNotSent = false): PlatformUnknown {
  return { kind: 'unknown', cause, surelyNotSent }
}
