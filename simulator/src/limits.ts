import { Refusal } from './answers.ts'
import type { Send } from './messages/send.ts'
import { nowMs, type Oa, type State, vietnamDay, vietnamMonth } from './state.ts'

/** How much of a limit an OA has used in the current period; a new period starts at 0. */
function used(oa: Oa, limit: string, period: number): { period: number; n: number } {
  const known = oa.used.get(limit)
  if (known?.period === period) return known
  const fresh = { period, n: 0 }
  oa.used.set(limit, fresh)
  return fresh
}

/**
 * Counts a template that is created or edited.
 * @throws Refusal -144 when the daily limit is used up.
 */
export function countTemplate(state: State, oa: Oa, verb: 'create' | 'edit'): void {
  const { templateCreatesPerDay, templateEditsPerDay } = state.settings
  const limit = verb === 'create' ? templateCreatesPerDay : templateEditsPerDay
  const today = used(oa, `template ${verb}`, vietnamDay(nowMs(state)))
  if (today.n >= limit) throw new Refusal(-144, `The OA may ${verb} ${limit} templates a day`)
  today.n += 1
}

/**
 * Checks that a message may still be sent today, this month, and with the OA's money.
 * @throws Refusal -144, -147, -1471, -1472, -1441 or -115; messages in development mode are exempt.
 */
export function checkLimits(state: State, { oa, template, channel, recipient, developmentMode }: Send): void {
  if (developmentMode) return
  const { dailyQuota, templateDailyQuota, monthlyPromotionQuota, walletVnd } = state.settings
  const { templateSendsPerDay, recipientSendsPerDay } = state.settings
  const now = nowMs(state)
  if (used(oa, 'sent', vietnamDay(now)).n >= dailyQuota) {
    throw new Refusal(-144, 'The OA has used up its daily quota')
  }
  if (used(oa, `sent ${template.id}`, vietnamDay(now)).n >= templateDailyQuota) {
    throw new Refusal(-147, 'The template has used up its daily quota')
  }
  if (templateSendsPerDay > 0 && used(oa, `sent ${template.id}`, vietnamDay(now)).n >= templateSendsPerDay) {
    throw new Refusal(-1471, 'The template has reached its sending limit')
  }
  if (recipientSendsPerDay > 0 && used(oa, `to ${recipient}`, vietnamDay(now)).n >= recipientSendsPerDay) {
    throw new Refusal(-1472, 'The recipient has reached the limit of messages of this OA')
  }
  if (template.tag === '3' && used(oa, 'promotion', vietnamMonth(now)).n >= monthlyPromotionQuota) {
    throw new Refusal(-1441, 'The OA has used up its monthly promotion quota')
  }
  const price = channel === 'phone' ? template.priceSdtVnd : template.priceUidVnd
  if (oa.chargedVnd + price > walletVnd) throw new Refusal(-115, 'The balance of the OA is not enough')
}

/** Counts an accepted message. */
export function countMessage(state: State, { oa, template, recipient, developmentMode }: Send): void {
  if (developmentMode) return
  const now = nowMs(state)
  used(oa, 'sent', vietnamDay(now)).n += 1
  used(oa, `sent ${template.id}`, vietnamDay(now)).n += 1
  if (template.tag === '3') used(oa, 'promotion', vietnamMonth(now)).n += 1
  // Counted only while there is a limit: a load test has a different recipient for each message.
  if (state.settings.recipientSendsPerDay > 0) used(oa, `to ${recipient}`, vietnamDay(now)).n += 1
}

/** The day's quota, as in the response to an accepted message and to the quota call. */
export function dayQuota(state: State, oa: Oa) {
  const { dailyQuota } = state.settings
  const remaining = Math.max(0, dailyQuota - used(oa, 'sent', vietnamDay(nowMs(state))).n)
  return { dailyQuota: String(dailyQuota), remainingQuota: String(remaining) }
}

/** The month's quota of messages with tag 3. */
export function promotionQuota(state: State, oa: Oa) {
  const { monthlyPromotionQuota } = state.settings
  const sent = used(oa, 'promotion', vietnamMonth(nowMs(state))).n
  return {
    monthlyPromotionQuota: String(monthlyPromotionQuota),
    remainingMonthlyPromotionQuota: String(Math.max(0, monthlyPromotionQuota - sent)),
    estimatedNextMonthPromotionQuota: String(monthlyPromotionQuota),
  }
}

/** Counts a send against the limit per minute, if there is one. @throws Refusal -32 when it is used up. */
export function limitRate(state: State): void {
  const limit = state.settings.requestsPerMinute
  if (limit === 0) return
  const minute = Math.floor(nowMs(state) / 60_000)
  if (state.minute !== minute) {
    state.minute = minute
    state.requestsThisMinute = 0
  }
  state.requestsThisMinute += 1
  if (state.requestsThisMinute > limit) throw new Refusal(-32, 'Too many requests a minute')
}
