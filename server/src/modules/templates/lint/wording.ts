import { labelOf, type Problem, ValidationError } from '../../../errors.ts'
import { fillText, type Language, textsIn } from '../../../texts/catalogue.ts'
import type { Finding } from '../rules.ts'
import type { Breach } from './lint-shape.ts'

/** The finding as create and update report it: a validation problem in Joi's English (G-03). */
export function refusalOf({ path, rule, values = {} }: Finding): ValidationError {
  const message = `"${labelOf(path)}" ${fillText(textsIn('en').lint.rule[rule].says, values)}`
  return new ValidationError('body', [{ path, rule: `template.${rule}`, values, message }])
}

/** The finding as one message: what is wrong with the field, and what to do about it. */
export function sentenceOf({ path, rule, values = {} }: Finding, language: Language): string {
  const { says, fix } = textsIn(language).lint.rule[rule]
  return `"${labelOf(path)}" ${fillText(says, values)}. ${fillText(fix, values)}`
}

/** The finding as one of the problems of a publication. The full stop is left out, because they are joined with one. */
export function problemOfFinding(finding: Finding, language: Language): Problem {
  const { path, rule, values = {} } = finding
  const fix = fillText(textsIn(language).lint.rule[rule].fix, values).replace(/\.$/, '')
  const message = sentenceOf(finding, language).replace(/\.$/, '')
  return { path, rule: `template.${rule}`, values: { ...values, fix }, message }
}

/** How to fix a value that does not have the shape that create requires. */
export function sentenceOfBreach({ rule, values, sent }: Breach, language: Language): string {
  const { lint } = textsIn(language)
  return fillText(lint.shape[rule], { ...values, sent: shown(sent, lint.sent) })
}

function shown(value: unknown, words: { list: string; object: string }): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return words.list
  if (typeof value === 'object') return words.object
  const text = String(JSON.stringify(value))
  return text.length <= 60 ? text : `${[...text].slice(0, 57).join('')}…"`
}
