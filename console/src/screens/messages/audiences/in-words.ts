import type { Audience } from '../../../api/rows.ts'
import { writeDay } from '../../../dates.ts'
import { formatNumber, formatVnd } from '../../../format.ts'
import type { Language } from '../../../texts/catalogue.ts'
import type { audienceTexts } from './audience-texts.ts'
import type { Condition } from './conditions.ts'

type Texts = (typeof audienceTexts)[Language]

/** The conditions of an audience as a sentence. */
export function inWords({ match, conditions }: Audience, texts: Texts, language: Language): string {
  const words = conditionsInWords(conditions, texts, language)
  const [first = '', ...others] = words
  return [first, ...others.map(withSmallStart)].join(match === 'all' ? texts.and : texts.or)
}

export function conditionsInWords(conditions: Condition[], texts: Texts, language: Language): string[] {
  return conditions.map((condition) => conditionInWords(condition, texts, language))
}

function withSmallStart(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

function conditionInWords(condition: Condition, texts: Texts, language: Language): string {
  const { kind, productIds = [], categoryIds = [], days, since, month, atLeast } = condition
  const { inWords: words } = texts
  if (kind === 'debt')
    return (atLeast ?? 0) <= 1 ? words.anyDebt : words.debt(formatVnd(atLeast ?? 0, language))
  const show = (value: number) => formatNumber(value, language)
  if (kind === 'birthday')
    return words.birthday(month === undefined ? texts.nextDays(show(days ?? 0)) : texts.inMonth(month))
  const isAny = productIds.length + categoryIds.length === 0
  const goods = isAny ? texts.any : texts.some(productIds.length, categoryIds.length)
  const time =
    since !== undefined
      ? texts.sinceDay(writeDay(since))
      : days !== undefined
        ? texts.lastDays(show(days))
        : ''
  return words[kind](goods, time)
}
