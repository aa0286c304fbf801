import { webhookAddress } from '../events.ts'
import { asJson, asNumber, asText, isJson } from '../read.ts'
import type { Settings } from '../settings.ts'
import { nowMs, oaOf, type State } from '../state.ts'

const NUMBERS = [
  'reviewMs',
  'deliveryMs',
  'hangMs',
  'eventTimeoutMs',
  'repeatScale',
  'templateTimeoutMs',
  'dailyQuota',
  'templateDailyQuota',
  'monthlyPromotionQuota',
  'templateSendsPerDay',
  'recipientSendsPerDay',
  'templateCreatesPerDay',
  'templateEditsPerDay',
  'walletVnd',
  'requestsPerMinute',
  'smsBalanceVnd',
  'smsPriceVnd',
  'smsCallbackMs',
] as const
const SWITCHES = ['dropRepeatedTrackingId', 'suppressEvents', 'nightWindow'] as const

/** Applies a settings call. Returns the problem if a value has the wrong type or a name is unknown. */
export function applySettings(state: State, input: unknown): string | undefined {
  if (!isJson(input)) return 'the body must be an object'
  const next: Settings = { ...state.settings }
  const oaId = asText(input.oaId)
  for (const [name, value] of Object.entries(input)) {
    const number = NUMBERS.find((known) => known === name)
    const flag = SWITCHES.find((known) => known === name)
    if (number) {
      if (typeof value !== 'number' || !Number.isFinite(value)) return `${name} must be a number`
      next[number] = value
    } else if (flag) {
      if (typeof value !== 'boolean') return `${name} must be true or false`
      next[flag] = value
    } else if (name === 'administrators') {
      if (!Array.isArray(value)) return 'administrators must be a list of phones'
      next.administrators = value.map(asText)
    } else if (name === 'smsBrandnames') {
      if (!Array.isArray(value)) return 'smsBrandnames must be a list of names'
      next.smsBrandnames = value.map(asText)
    } else if (name === 'smsRefusals') {
      const code = asNumber(asJson(value).code)
      const times = asNumber(asJson(value).times)
      if (code === undefined || times === undefined) return 'smsRefusals must have a code and times'
      next.smsRefusals = { code, times }
    } else if (name === 'smsApiKey' || name === 'smsSecretKey') {
      next[name] = asText(value) || undefined
    } else if (name === 'clock') {
      const at = typeof value === 'number' ? value : Date.parse(asText(value))
      if (Number.isNaN(at)) return 'clock must be an instant'
      next.clockOffsetMs = at - (nowMs(state) - state.settings.clockOffsetMs)
    } else if (name === 'webhookUrl') {
      next.webhookUrl = asText(value) || undefined
      next.webhookAddress = undefined
    } else if (name === 'appSecret') {
      next.appSecret = asText(value) || undefined
    } else if (name === 'name') {
      if (!oaId || !asText(value)) return 'name must be text, with the oaId that it names'
    } else if (name === 'appId' || name === 'secret') {
      if (!asText(value)) return `${name} must be text`
      if (!oaId) next[name] = asText(value)
    } else if (name === 'webhookOn') {
      if (value !== true) return 'webhookOn can only be true'
    } else if (name !== 'oaId') {
      return `${name} is not a setting`
    }
  }
  state.settings = next
  if (oaId) {
    const oa = oaOf(state, oaId)
    if (input.appId !== undefined) oa.appId = asText(input.appId)
    if (input.secret !== undefined) oa.secret = asText(input.secret)
    if (input.name !== undefined) {
      oa.name = asText(input.name)
      state.onChange()
    }
  }
  if (input.webhookOn === true) {
    for (const oa of oaId ? [oaOf(state, oaId)] : state.oas.values()) oa.webhookOff = false
  }
  return undefined
}

/** The settings without secrets. */
export function presentSettings(state: State) {
  const {
    clockOffsetMs: _,
    secret: __,
    appSecret: ___,
    smsSecretKey: ____,
    webhookUrl,
    ...shown
  } = state.settings
  return {
    ...shown,
    webhookUrl: (typeof webhookUrl === 'function' ? webhookUrl() : webhookUrl) ?? null,
    webhookAddress: webhookAddress(state.settings) ?? null,
    clock: new Date(nowMs(state)).toISOString(),
  }
}
