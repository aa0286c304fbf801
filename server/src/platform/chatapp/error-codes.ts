import { nextMidnight, nextMorning, VIETNAM_OFFSET_MS } from '../../lib/time/vietnam-time.ts'
import { fillText, textsIn } from '../../texts/catalogue.ts'
import type { PlatformCode } from '../../texts/keys.ts'
import { TIMINGS } from '../../timings.ts'
import type { RejectClass } from '../types.ts'

const CODE_CLASSES = {
  '-124': 'auth',
  '-216': 'auth',
  '-220': 'auth',
  '-101': 'configuration',
  '-102': 'configuration',
  '-103': 'configuration',
  '-104': 'configuration',
  '-105': 'configuration',
  '-117': 'configuration',
  '-120': 'configuration',
  '-1201': 'configuration',
  '-125': 'configuration',
  '-135': 'configuration',
  '-1351': 'configuration',
  '-136': 'configuration',
  '-138': 'configuration',
  '-145': 'configuration',
  '-115': 'platform-money',
  '-137': 'platform-money',
  '-320': 'platform-money',
  '-321': 'platform-money',
  '-126': 'platform-money',
  '-201': 'payload',
  '-108': 'payload',
  '-109': 'payload',
  '-111': 'payload',
  '-112': 'payload',
  '-1121': 'payload',
  '-1122': 'payload',
  '-1124': 'payload',
  '-113': 'payload',
  '-1131': 'payload',
  '-116': 'payload',
  '-121': 'payload',
  '-122': 'payload',
  '-130': 'payload',
  '-132': 'payload',
  '-153': 'payload',
  '-110': 'recipient',
  '-114': 'recipient',
  '-118': 'recipient',
  '-119': 'recipient',
  '-139': 'recipient',
  '-140': 'recipient',
  '-141': 'recipient',
  '-213': 'recipient',
  '-217': 'recipient',
  '-218': 'recipient',
  '-227': 'recipient',
  '-244': 'recipient',
  '-131': 'template',
  '-146': 'template',
  '-1091': 'template',
  '-127': 'template',
  '-249': 'template',
  '-133': 'later',
  '-234': 'later',
  '-144': 'later',
  '-1441': 'later',
  '-147': 'later',
  '-1471': 'later',
  '-1472': 'later',
  '-100': 'transient',
  '-32': 'transient',
  '-211': 'transient',
} as const satisfies Record<PlatformCode, RejectClass>

function knownCode(code: number): PlatformCode | undefined {
  return Object.hasOwn(CODE_CLASSES, String(code)) ? (String(code) as PlatformCode) : undefined
}

/**
 * What a platform error number means for us; `other` for one we do not know.
 * Source: docs/reference/platform.md, "Errors, by what we do".
 */
export function classOfCode(code: number): RejectClass {
  const known = knownCode(code)
  return known ? CODE_CLASSES[known] : 'other'
}

const UNREACHABLE: Readonly<Record<string, 'NO_ACCOUNT' | 'BLOCKED'>> = {
  '-118': 'NO_ACCOUNT',
  '-119': 'NO_ACCOUNT',
  '-114': 'BLOCKED',
  '-141': 'BLOCKED',
} satisfies { [code in PlatformCode]?: 'NO_ACCOUNT' | 'BLOCKED' }

/**
 * Why no message of the account can reach this person, if the number says so; undefined otherwise. A person who refuses
 * only this kind of message (-139, -140) has made that choice, and is not sent an SMS instead.
 */
export function unreachableBy(code: number): 'NO_ACCOUNT' | 'BLOCKED' | undefined {
  return UNREACHABLE[String(code)]
}

/**
 * A sentence for staff about a platform error number, in Vietnamese or English. For an unknown number, the sentence
 * names it. The platform's own text is kept separately, in the outcome's `message` and `raw`.
 */
export function describeCode(code: number, lang: 'vi' | 'en'): string {
  const known = knownCode(code)
  const texts = textsIn(lang)
  return known ? texts.platformCode[known] : fillText(texts.platformCodeUnknown, { code })
}

/**
 * The earliest time at which the same request may be accepted, or undefined if waiting does not help. Night (-133,
 * -234): the next 06:00 in Vietnam. Quota of the day: the next midnight there. Promotion quota of the month (-1441):
 * the first of the next month. If that moment has just passed, the platform's clock may lag behind ours: a minute from
 * now. -32 counts by the minute.
 */
export function retryTime(code: number, now: Date): Date | undefined {
  const soon = new Date(now.getTime() + 60_000)
  if (code === -32) return soon
  if (classOfCode(code) !== 'later') return undefined
  const end = endOfRefusal(code, new Date(now.getTime() - TIMINGS.platformClockSlackMs))
  return end <= now ? soon : end
}

/** When the night, day or month that a refusal names ends, if the platform's clock shows `at`. */
function endOfRefusal(code: number, at: Date): Date {
  if (code === -133 || code === -234) return nextMorning(at)
  if (code !== -1441) return nextMidnight(at)
  const local = new Date(at.getTime() + VIETNAM_OFFSET_MS)
  return new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 1) - VIETNAM_OFFSET_MS)
}
