import { requestIdNow } from '../../lib/request-id.ts'
import { TIMINGS } from '../../timings.ts'
import { callHttp, type HttpAnswer, textOf } from '../http-call.ts'
import { networkFailure } from '../network-failure.ts'
import type { OaCredentials, Platform, PlatformLog, PlatformOutcome, PlatformUnknown } from '../types.ts'
import {
  readAcceptedMessage,
  readDayQuota,
  readMessageStatus,
  readSubmittedTemplate,
  readTemplate,
  readTemplateList,
} from './answers.ts'
import { classOfCode, describeCode, retryTime, unreachableBy } from './error-codes.ts'
import { toCreateBody } from './templates/layout.ts'
import { NoAccessToken, type TokenStore } from './tokens/token-store.ts'
import { asNumber, asRecord, asText, parseWireJson, STATUS_NUMBERS } from './wire.ts'

export type HttpPlatformOptions = {
  businessUrl: string
  openapiUrl: string
  tokens: TokenStore
  /** The time-out of one request; a call that renews its token makes up to three. */
  timeoutMs?: number
  call?: typeof callHttp
  now?: () => Date
  log?: PlatformLog
}

type Call<T> = {
  url: string
  body?: unknown
  /** Sent instead of `body`, built again for each attempt. */
  form?: () => FormData
  /** The response's data, or undefined if the part that the call needs is missing. */
  read(answer: Record<string, unknown>): T | undefined
}

/**
 * The platform over its HTTP protocol (docs/reference/platform.md, "Calls"). Every response that is not a well-formed
 * `{error, …}` is `unknown`. If a token is refused, it is renewed once and the call is repeated once; nothing else is
 * retried. If the renewal fails without a refusal, the call was surely not sent; if it is refused, so is the call.
 */
export function createHttpPlatform(options: HttpPlatformOptions): Platform {
  const now = options.now ?? (() => new Date())
  const business = options.businessUrl.replace(/\/$/, '')
  const openapi = options.openapiUrl.replace(/\/$/, '')

  async function perform<T>(oa: OaCredentials, call: Call<T>): Promise<PlatformOutcome<T>> {
    let token: string
    try {
      token = await options.tokens.current(oa)
    } catch (error) {
      return withoutToken(error, 'no access token could be read')
    }
    const first = await attempt(token, call)
    if (first.kind !== 'rejected' || first.class !== 'auth') return first
    let renewed: string | undefined
    try {
      renewed = await options.tokens.refresh(oa, token)
    } catch (error) {
      options.log?.warn({ oaId: oa.oaId, err: error }, 'renewing the access token failed')
      return withoutToken(error, 'the access token could not be renewed')
    }
    return renewed === undefined ? first : attempt(renewed, call)
  }

  async function attempt<T>(token: string, call: Call<T>): Promise<PlatformOutcome<T>> {
    try {
      const { status, text } = await exchange(token, call)
      return readOutcome(status, text, call, now())
    } catch (error) {
      return networkFailure(error)
    }
  }

  async function exchange<T>(token: string, call: Call<T>): Promise<HttpAnswer> {
    const { timeoutMs = TIMINGS.platformTimeoutMs } = options
    if (call.form === undefined) {
      const body = call.body === undefined ? undefined : JSON.stringify(call.body)
      const headers: Record<string, string> = { access_token: token, ...traceHeader() }
      if (body !== undefined) headers['content-type'] = 'application/json'
      return (options.call ?? callHttp)(call.url, { headers, body, timeoutMs })
    }
    const response = await fetch(call.url, {
      method: 'POST',
      headers: { access_token: token, ...traceHeader() },
      body: call.form(),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: response.status, text: await textOf(response) }
  }

  const get = <T>(oa: OaCredentials, base: string, query: Record<string, string>, read: Call<T>['read']) =>
    perform(oa, { url: `${base}?${new URLSearchParams(query)}`, read })

  return {
    uploadImage: (oa, bytes, type) =>
      perform(oa, {
        url: `${business}/upload/image`,
        form: () => {
          const form = new FormData()
          const name = type === 'image/png' ? 'image.png' : 'image.jpg'
          form.append('file', new Blob([Uint8Array.from(bytes)], { type }), name)
          return form
        },
        read: (answer) => {
          const mediaId = asText(asRecord(answer.data).media_id)
          return mediaId === undefined ? undefined : { mediaId }
        },
      }),

    createTemplate: (oa, submission) =>
      perform(oa, {
        url: `${business}/template/create`,
        body: toCreateBody(submission),
        read: (answer) => readSubmittedTemplate(answer),
      }),

    editTemplate: (oa, platformTemplateId, submission) =>
      perform(oa, {
        url: `${business}/template/edit`,
        body: { template_id: platformTemplateId, ...toCreateBody(submission) },
        read: (answer) => readSubmittedTemplate(answer, platformTemplateId),
      }),

    templateInfo: (oa, platformTemplateId) =>
      get(oa, `${business}/template/info/v2`, { template_id: platformTemplateId }, (answer) =>
        readTemplate(answer, platformTemplateId),
      ),

    listTemplates: (oa, { offset, limit, status }) =>
      get(
        oa,
        `${business}/template/all`,
        {
          offset: String(offset),
          limit: String(limit),
          ...(status ? { status: String(STATUS_NUMBERS[status]) } : {}),
        },
        readTemplateList,
      ),

    sendToPhone: (oa, message) =>
      perform(oa, {
        url: `${business}/message/template`,
        body: {
          ...(message.development ? { mode: 'development' } : {}),
          phone: message.phone,
          template_id: message.templateId,
          template_data: message.params,
          tracking_id: message.trackingId,
        },
        read: readAcceptedMessage,
      }),

    sendToUid: (oa, message) =>
      perform(oa, {
        url: `${openapi}/v3.0/oa/message/template`,
        body: { user_id: message.userId, template_id: message.templateId, template_data: message.params },
        read: readAcceptedMessage,
      }),

    messageStatus: (oa, msgId) =>
      get(oa, `${business}/message/status`, { message_id: msgId }, readMessageStatus),

    messageQuota: (oa) => perform(oa, { url: `${business}/message/quota`, read: readDayQuota }),
  }
}

/**
 * The outcome of an HTTP response. A 5xx is `unknown` even with a well-formed body: it may come from an intermediary,
 * after the platform has acted.
 */
function readOutcome<T>(status: number, text: string, call: Call<T>, now: Date): PlatformOutcome<T> {
  if (status >= 500) return unknown(`HTTP ${status}`)
  let raw: unknown
  try {
    raw = parseWireJson(text)
  } catch {
    return unknown(`HTTP ${status} without readable JSON`)
  }
  const answer = asRecord(raw)
  const code = asNumber(answer.error)
  if (code === undefined || !Number.isInteger(code)) return unknown(`HTTP ${status} without an error number`)
  if (code !== 0) {
    const retryAt = retryTime(code, now)
    const unreachable = unreachableBy(code)
    return {
      kind: 'rejected',
      code,
      class: classOfCode(code),
      message: asText(answer.message) ?? describeCode(code, 'en'),
      ...(unreachable ? { unreachable } : {}),
      ...(retryAt ? { retryAt } : {}),
      raw,
    }
  }
  if (status >= 300) return unknown(`HTTP ${status} that claims success`)
  const data = call.read(answer)
  return data === undefined ? unknown('success without the expected data') : { kind: 'ok', data, raw }
}

function withoutToken<T>(error: unknown, failed: string): PlatformOutcome<T> {
  if (error instanceof NoAccessToken) {
    return { kind: 'rejected', code: -124, class: 'auth', message: error.message, raw: undefined }
  }
  const reason = error instanceof Error ? error.message : String(error)
  return { kind: 'unknown', cause: `${failed}: ${reason}`, surelyNotSent: true }
}

function unknown(cause: string): PlatformUnknown {
  return { kind: 'unknown', cause, surelyNotSent: false }
}

/** Lets the platform's log be compared with ours. */
function traceHeader(): Record<string, string> {
  const requestId = requestIdNow()
  return requestId === null ? {} : { 'x-request-id': requestId }
}
