import type { Limit, Rule } from './texts/keys.ts'
import { lintEn } from './texts/lint-en.ts'

/** What a rule's sentence needs besides the field's name: limits, allowed values, the kind of a record. */
export type RuleValues = Record<string, string | number | readonly (string | number | boolean | null)[]>

type Sentence = string | ((values: RuleValues) => string)

/**
 * Every rule that a field of a request can break, with the English sentence that follows the field's name. The names
 * are part of the API (G-03). Joi's rules have Joi's names, values and wording; a test compares them with Joi's.
 */
const SENTENCES = {
  'any.required': 'is required',
  'any.only': ({ valids }) => `must be ${lengthOf(valids) === 1 ? '' : 'one of '}${listed(valids)}`,
  'alternatives.match': 'does not match any of the allowed types',
  'alternatives.types': 'must be one of {types}',
  'array.base': 'must be an array',
  'array.max': 'must contain less than or equal to {limit} items',
  'array.min': 'must contain at least {limit} items',
  'boolean.base': 'must be a boolean',
  'date.format': 'must be in ISO 8601 date format',
  'date.min': 'must be greater than or equal to "{limit}"',
  'number.base': 'must be a number',
  'number.greater': 'must be greater than {limit}',
  'number.infinity': 'cannot be infinity',
  'number.integer': 'must be an integer',
  'number.less': 'must be less than {limit}',
  'number.max': 'must be less than or equal to {limit}',
  'number.min': 'must be greater than or equal to {limit}',
  'number.precision': 'must have no more than {limit} decimal places',
  'number.unsafe': 'must be a safe number',
  'object.base': 'must be of type object',
  'object.max': ({ limit }) => `must have less than or equal to ${keys(limit)}`,
  'object.min': ({ limit }) => `must have at least ${keys(limit)}`,
  'object.missing': 'must contain at least one of {peers}',
  'object.unknown': 'is not allowed',
  'object.xor': 'contains a conflict between exclusive peers {peers}',
  'string.base': 'must be a string',
  'string.email': 'must be a valid email',
  'string.empty': 'is not allowed to be empty',
  'string.isoDate': 'must be in iso format',
  'string.max': 'length must be less than or equal to {limit} characters long',
  'string.min': 'length must be at least {limit} characters long',
  'string.pattern.base': 'with value "{value}" fails to match the required pattern: {regex}',
  'string.uri': 'must be a valid uri',
  'string.uriCustomScheme': 'must be a valid uri with a scheme matching the {scheme} pattern',

  // The service's own rules.
  'audience.value': 'must not contain {name}: use {valids}',
  'amount.notZero': 'must not be 0',
  'amount.topUp': 'must be positive for a top_up',
  'body.tooDeep': 'is nested too deeply',
  'category.ownSubcategory': 'must not be the category itself or one of its subcategories',
  'category.tooDeep': 'would make the tree deeper than {limit} levels',
  'cursor.unknown': 'must be a cursor that this shop was given',
  'date.instant': 'must be an ISO 8601 date or time',
  'date.future': 'must be in the future',
  'date.past': 'must not be in the future',
  'date.lastDays': 'must be within the last {limit} days',
  'date.tooFarAhead': 'must be at most {limit} days ahead',
  'file.empty': 'is empty',
  'id.form': 'must be an id of 24 hexadecimal characters',
  'id.templateForm': 'must be an id of 24 hexadecimal characters or the platform’s number',
  'id.twice': 'duplicates an earlier _id',
  'images.characters': 'must contain at most {limit} characters together',
  'inventory.countOnly': 'is allowed only for a count',
  'inventory.receiveOnly': 'is allowed only for goods received',
  'inventory.sameWarehouse': 'must differ from the source warehouse',
  'inventory.skuTwice': 'duplicates the SKU of items[{first}]',
  'inventory.transferOnly': 'is allowed only for a transfer',
  'inventory.transferTarget': 'is required for a transfer',
  'header.tags': 'must be * or a list of entity tags in double quotes',
  'html.tags': 'must not have more than {limit} tags',
  'news.link': 'must start with {start} (form {start}<app-id>/<path>)',
  'option.nameTwice': 'duplicates another option of this group',
  'option.twice': 'duplicates another option’s id',
  'order.lineTwice': 'duplicates the line of lines[{first}]',
  'order.reasonOfCancelled': 'is allowed only with the status cancelled',
  'order.restockedOnly': 'is allowed only for pieces that are in stock again',
  'order.sellable': 'must be a SKU of this shop, or a product with exactly one SKU',
  'order.unknownLine': 'is not a line of this order',
  'page.bytes':
    'must be less than or equal to {limit} for this page: its records are larger than a response may be',
  'param.fixed': 'is fixed by the template and must not be sent',
  'product.unknown': 'is not a {kind} of this product',
  'page.withCursor': 'must not be sent with "cursor", which says itself where the page begins',
  'query.encoding': 'must be percent-encoded UTF-8: write a % itself as %25',
  'select.parts': 'must be a list of {valids}',
  'shop.unknown': 'is not a {kind} of this shop',
  'sku.barcodeTwice': 'duplicates another SKU’s barcode',
  'sku.codeTwice': 'duplicates another SKU’s code',
  'sku.combinationTwice': 'duplicates another SKU’s combination',
  'sku.idTwice': 'duplicates another SKU’s _id',
  'sku.optionMissing': 'must contain one option of each variant group',
  'sku.optionUnknown': 'is not an option in variants',
  'sku.twoOptionsOfGroup': 'selects a second option of the same variant group',
  'sms.param': 'must not contain <{key}>, which the template does not declare',
  'sms.parts': 'must not become more than {limit} SMS with the longest values',
  'string.blankEnds': 'must not have leading or trailing whitespace',
  'string.invisible': 'must not contain control or invisible characters',
  'string.marks': 'must not contain more than {limit} combining marks in a row',
  'string.phone': 'must be a valid phone number',
  'string.unstorable': 'must not contain NUL characters or unpaired surrogates',
  'string.words': 'must contain at most {limit} words that differ',
  'tier.notAbove': 'must be greater than {limit}, the quantity of this SKU’s previous tier',
  'variantGroup.twice': 'duplicates another group’s id',
  'warehouse.lastDefault': 'cannot be false: make another warehouse the default instead',
  'webhook.privateAddress': 'must not point to a private network',
  'webhook.url':
    'must be an http or https address without user name and password, not on port 0, and with a host name of at most 253 characters',
  // Rules for a line of an imported file, where the field is a column.
  'import.barcodeOfLine': 'is also a barcode of line {line}',
  'import.customerOfRow': 'is the same customer as in row {line}',
  'import.codeOfLine': 'is also a code of line {line}',
  'import.cellType': 'must be a text or a number',
  'import.codesOfTwoProducts': 'and "skuCode" match different products',
  'import.earlierLines': 'belongs to a product of earlier lines',
  'import.imageList': 'must be addresses separated by spaces, or a JSON array of strings',
  'import.linesDiffer': 'differs from the product’s first line',
  'import.notConsecutive':
    'also appears in earlier lines: the lines of a product, at most {limit}, must be consecutive',
  'import.optionName': 'is required when its value is set',
  'import.stockOfSku': 'is on a line without a SKU, and the product has SKUs of its own',
  'import.skuCode': 'is the code of one of the product’s SKUs: put it in "skuCode"',
  // Rules for a line as a whole. These are complete sentences.
  'line.cellCount': 'The line has {cells} cells where the header has {columns}',
  'line.notJson': 'The line is not valid JSON',
  'line.notObject': 'The line is not a JSON object',
} satisfies Record<string, Sentence>

/** A rule with a sentence in this file. */
export type PlainRule = keyof typeof SENTENCES

/** A rule that has its text in every language: of a template, of the platform's limits for templates, or of an import file. */
export type TextRule = `template.${Rule}` | `platform.${Limit}` | 'file.unusable'

/** Why a body could not be read at all. The sentences are in `http/validation/validate.ts`. */
export type BodyRule = (typeof BODY_RULES)[number]

export type FieldRule = PlainRule | TextRule | BodyRule

const BODY_RULES = [
  'body.empty',
  'body.notJson',
  'body.length',
  'body.notUtf8',
  'body.tooManyValues',
] as const

/** Every rule that a response can name (G-03). */
export const FIELD_RULES: FieldRule[] = [
  ...(Object.keys(SENTENCES) as PlainRule[]),
  ...BODY_RULES,
  'file.unusable',
  ...(Object.keys(lintEn.rule) as Rule[]).map((rule): FieldRule => `template.${rule}`),
  ...(Object.keys(lintEn.limit) as Limit[]).map((limit): FieldRule => `platform.${limit}`),
]

/** The sentence of a rule without the field's name: `must be less than or equal to 100`. */
export function sentenceOfRule(rule: PlainRule, values: RuleValues): string {
  const sentence: Sentence = SENTENCES[rule]
  if (typeof sentence !== 'string') return sentence(values)
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    return value === undefined ? whole : typeof value === 'object' ? listed(value) : String(value)
  })
}

function listed(values: RuleValues[string] | undefined): string {
  return Array.isArray(values) ? `[${values.map(String).join(', ')}]` : String(values)
}

function lengthOf(values: RuleValues[string] | undefined): number {
  return Array.isArray(values) ? values.length : 1
}

function keys(limit: RuleValues[string] | undefined): string {
  return `${String(limit)} key${limit === 1 ? '' : 's'}`
}
