import type {
  AcceptedMessage,
  DayQuota,
  PlatformMessageStatus,
  PlatformTemplate,
  PlatformTemplateList,
  SubmittedTemplate,
} from '../types.ts'
import { asBoolean, asList, asNumber, asRecord, asTemplateStatus, asText, asTime, asVnd } from './wire.ts'

type Answer = Record<string, unknown>

/**
 * The response to a create or edit; undefined without a template number. An edit may leave it out, so `knownId` is
 * used. Without a readable status the template counts as under review, since it was just submitted.
 */
export function readSubmittedTemplate(answer: Answer, knownId?: string): SubmittedTemplate | undefined {
  const data = asRecord(answer.data)
  const platformTemplateId = asText(data.template_id) ?? asText(data.templateId) ?? knownId
  if (platformTemplateId === undefined) return undefined
  return {
    platformTemplateId,
    status: asTemplateStatus(data.status).status ?? 'PENDING_REVIEW',
    ...prices(data),
    ...optional('previewUrl', asText(data.preview_url) ?? asText(data.previewUrl)),
  }
}

/** A template's detail; undefined when the response has neither its number nor its status. */
export function readTemplate(answer: Answer, askedId: string): PlatformTemplate | undefined {
  const data = asRecord(answer.data)
  const id = asText(data.templateId) ?? asText(data.template_id)
  const { status, deleted } = asTemplateStatus(data.status)
  if (id === undefined && status === undefined) return undefined
  return {
    platformTemplateId: id ?? askedId,
    name: asText(data.templateName) ?? asText(data.template_name) ?? '',
    ...optional('status', status),
    deleted,
    ...optional('reason', asText(data.reason)),
    params: asList(data.listParams).map((item) => {
      const param = asRecord(item)
      return {
        name: asText(param.name) ?? '',
        required: asBoolean(param.require),
        type: asText(param.type) ?? '',
        ...optional('maxLength', asNumber(param.maxLength)),
        ...optional('minLength', asNumber(param.minLength)),
        acceptNull: asBoolean(param.acceptNull),
      }
    }),
    buttons: asList(data.listButtons).map((item) => {
      const button = asRecord(item)
      return {
        type: asText(button.type) ?? '',
        title: asText(button.title) ?? '',
        content: asText(button.content) ?? '',
      }
    }),
    ...optional('quality', asText(data.templateQuality)),
    ...optional('tag', asText(data.templateTag)),
    ...optional('previewUrl', asText(data.previewUrl) ?? asText(data.preview_url)),
    ...prices(data),
    ...optional('timeoutSeconds', timeoutSeconds(data.timeout)),
  }
}

const LONGEST_TIMEOUT_MS = 30 * 86_400_000

/** Whole seconds of a timeout in milliseconds; undefined if it is not a plausible delivery time. */
function timeoutSeconds(value: unknown): number | undefined {
  const ms = asNumber(value)
  return ms !== undefined && ms > 0 && ms <= LONGEST_TIMEOUT_MS ? Math.ceil(ms / 1000) : undefined
}

/** One page of templates; undefined when `data` is not a list. Rows without a number are left out. */
export function readTemplateList(answer: Answer): PlatformTemplateList | undefined {
  if (!Array.isArray(answer.data)) return undefined
  const templates = asList(answer.data).flatMap((item) => {
    const row = asRecord(item)
    const platformTemplateId = asText(row.templateId) ?? asText(row.template_id)
    if (platformTemplateId === undefined) return []
    const { status, deleted } = asTemplateStatus(row.status)
    return [
      {
        platformTemplateId,
        name: asText(row.templateName) ?? asText(row.template_name) ?? '',
        ...optional('status', status),
        deleted,
        ...optional('quality', asText(row.templateQuality)),
        ...optional('createdAt', asTime(row.createdTime) ?? asTime(row.created_time)),
      },
    ]
  })
  return { templates, total: asNumber(asRecord(answer.metadata).total) ?? templates.length }
}

/** An accepted message by phone (`msg_id`) or by UID (`message_id`); undefined without its id. */
export function readAcceptedMessage(answer: Answer): AcceptedMessage | undefined {
  const data = asRecord(answer.data)
  const msgId = asText(data.msg_id) ?? asText(data.message_id)
  if (msgId === undefined) return undefined
  return { msgId, ...optional('sentAt', asTime(data.sent_time)) }
}

/** Whether a message arrived; undefined when the status is none of -1, 0, 1. */
export function readMessageStatus(answer: Answer): PlatformMessageStatus | undefined {
  const data = asRecord(answer.data)
  const status = asNumber(data.status)
  if (status === -1) return { status: 'unknown' }
  if (status === 0) return { status: 'pushed' }
  if (status !== 1) return undefined
  return { status: 'delivered', ...optional('deliveredAt', asTime(data.delivery_time)) }
}

/** The day's quota of an account; undefined when a number is missing. */
export function readDayQuota(answer: Answer): DayQuota | undefined {
  const data = asRecord(answer.data)
  const [daily, remaining] = [asNumber(data.dailyQuota), asNumber(data.remainingQuota)]
  return daily === undefined || remaining === undefined ? undefined : { daily, remaining }
}

function prices(data: Answer): { priceVnd?: number; priceUidVnd?: number } {
  return {
    ...optional('priceVnd', asVnd(data.price_sdt) ?? asVnd(data.price)),
    ...optional('priceUidVnd', asVnd(data.price_uid)),
  }
}

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V }
}
