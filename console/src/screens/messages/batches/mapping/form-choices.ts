import { shownOf, type Template } from '../../../templates/editor/draft.ts'
import { type Mapping, passedParams } from '../plan-batch.ts'
import type { Sheet } from '../sheet.ts'
import { type ValueForm, writeValue } from '../value-forms.ts'

type Param = Template['params'][number]

/** The forms that a parameter's values may have beside the file's, and the one that they have until a person chooses. */
export type FormChoice = { offered: ValueForm[]; preselected: ValueForm | undefined }

/** The platform's data types of times and amounts. */
const TIME = '11'
const AMOUNT = '14'
/** Data types whose digits are no number: phone numbers, codes, contacts and one-time passwords. */
const WITHOUT_FORM = ['2', '4', '7', '12']

/**
 * The choices of the parameters that columns of a file fill, by their keys. A form is offered for a parameter of amounts or times, and
 * for a column that has only numbers or only days. It is preselected only if the parameter's data type asks for it and most cells
 * fit, so that nothing else is sent in another form than the file's unless a person says so.
 */
export function formChoices(
  { rows }: Pick<Sheet, 'rows'>,
  template: Template,
  params: Mapping['params'],
): Record<string, FormChoice> {
  const choices = passedParams(template).map((param): [string, FormChoice] => {
    const source = params[param.key]
    if (typeof source !== 'number' || WITHOUT_FORM.includes(param.techSetting ?? ''))
      return [param.key, { offered: [], preselected: undefined }]
    const cells = rows.map((row) => (row[source] ?? '').trim()).filter((cell) => cell !== '')
    return [param.key, choiceOf(param, cells, template)]
  })
  return Object.fromEntries(choices)
}

function choiceOf(param: Param, cells: string[], template: Template): FormChoice {
  const fits = (form: ValueForm) => (cell: string) => writeValue(form, cell) !== undefined
  const all = (fit: (cell: string) => boolean) => cells.length > 0 && cells.every(fit)
  const most = (fit: (cell: string) => boolean) => cells.filter(fit).length * 2 > cells.length
  const isAmount = param.techSetting === AMOUNT
  const isTime = param.techSetting === TIME
  const offered: ValueForm[] = []
  if (isAmount || all(fits('number'))) offered.push('amount', 'number')
  // Eight digits can be read as a day, but are more often a number.
  if (isTime || all((cell) => /\D/.test(cell) && fits('day')(cell))) offered.push('day')
  if (isTime && most(fits('day'))) return { offered, preselected: 'day' }
  if (!isAmount || !most(fits('amount'))) return { offered, preselected: undefined }
  return { offered, preselected: hasCurrency(param, template) ? 'number' : 'amount' }
}

/** Whether the template itself writes the currency behind the parameter: `<total>đ`. */
function hasCurrency({ key }: Param, template: Template): boolean {
  const { title, contentBlocks } = shownOf(template)
  const behind = new RegExp(`<${key}>\\s*(?:đ|₫|VN[DĐ]|đồng)(?!\\p{L})`, 'iu')
  return behind.test(JSON.stringify([title, contentBlocks]))
}

/** The mapping with the form of each parameter: the one that a person chose, otherwise the preselected one. */
export function withForms(mapping: Mapping, choices: Record<string, FormChoice>): Mapping {
  const forms = Object.entries(choices).map(([key, { preselected }]) => [
    key,
    mapping.forms?.[key] ?? preselected ?? 'asGiven',
  ])
  return { ...mapping, forms: Object.fromEntries(forms) }
}
