import { describe, expect, it } from 'vitest'
import { problemOf } from '../../server/src/errors.ts'
import { FIELD_RULES, type PlainRule, type RuleValues } from '../../server/src/field-rules.ts'
import { withAmounts } from '../src/format.ts'
import { refusedReason } from '../src/screens/messages/batches/plan-batch.ts'
import type { Template } from '../src/screens/templates/editor/draft.ts'
import { type FieldProblem, fieldProblem, namedProblem, ownProblem } from '../src/texts/field-problem.ts'

/** The problem as the service returns it. */
function problem(path: (string | number)[], rule: PlainRule, values: RuleValues = {}): FieldProblem {
  const { message } = problemOf(path, rule, values)
  const label = /^"([^"]+)"/.exec(message)![1]!
  return { key: path.join('.'), message, rule, values: { label, ...values } } as FieldProblem
}

describe('G-03 what the API says of a field, by its rule and values', () => {
  it.each([
    [problem(['price'], 'number.base'), '"price" phải là số', 'Phải là số'],
    [problem(['name'], 'string.empty'), '"name" không được để trống', 'Hãy điền ô này'],
    [problem(['params', 'ten'], 'any.required'), '"params.ten" là bắt buộc', 'Hãy điền ô này'],
    [
      problem(['messages', 2, 'receiverPhone'], 'string.phone'),
      '"messages[2].receiverPhone" không hợp lệ (ví dụ đúng: 0912 345 678)',
      'Không hợp lệ (ví dụ đúng: 0912 345 678)',
    ],
    [
      problem(['vat'], 'number.max', { limit: 100 }),
      '"vat" không được lớn hơn 100',
      'Không được lớn hơn 100',
    ],
    [problem(['vat'], 'number.min', { limit: 0 }), '"vat" phải từ 0 trở lên', 'Phải từ 0 trở lên'],
    [
      problem(['status'], 'any.only', { valids: ['active', 'inactive'] }),
      '"status" phải là một trong [active, inactive]',
      'Phải là một trong [active, inactive]',
    ],
    [
      problem(['name'], 'string.max', { limit: 30 }),
      '"name" không được dài quá 30 ký tự',
      'Không được dài quá 30 ký tự',
    ],
    [
      problem(['categoryId'], 'shop.unknown', { kind: 'category' }),
      '"categoryId" không phải là danh mục của cửa hàng này',
      'Không phải là danh mục của cửa hàng này',
    ],
  ])('$message', (said, vietnamese, atField) => {
    expect(fieldProblem(said, 'vi')).toBe(vietnamese)
    expect(ownProblem(said, 'vi')).toBe(atField)
    expect(fieldProblem(said, 'en')).toBe(said.message)
  })

  it('stays as it is where the rule is not known, and in English without the field’s name at the field', () => {
    const odd = { ...problem(['slug'], 'string.base'), rule: 'slug.odd' as 'string.base' }
    expect(fieldProblem(odd, 'vi')).toBe('"slug" must be a string')
    expect(ownProblem(problem(['price'], 'number.base'), 'en')).toBe('Must be a number')
  })

  it('is all of the sentence where no field is at fault', () => {
    const message = 'Body is not valid JSON'
    const unreadable: FieldProblem = { key: '', message, rule: 'body.notJson', values: {} }
    expect(fieldProblem(unreadable, 'vi')).toBe('Nội dung gửi lên không phải là JSON hợp lệ')
    expect(fieldProblem(unreadable, 'en')).toBe(message)
  })

  it('says what to do about a template in the words of the service', () => {
    const values = { label: 'logoDark', fix: 'Hãy thêm địa chỉ logo dùng trên nền tối' }
    const message = '"logoDark" là bắt buộc khi ảnh đầu tin là logo. Hãy thêm địa chỉ logo dùng trên nền tối'
    expect(fieldProblem({ key: 'logoDark', message, rule: 'template.logoDark', values }, 'vi')).toBe(message)
  })

  it('has a Vietnamese sentence for every rule, and leaves no value out', () => {
    const values = {
      label: 'a',
      ...Object.fromEntries(
        [
          'cells',
          'columns',
          'first',
          'key',
          'kind',
          'limit',
          'line',
          'maxLength',
          'most',
          'name',
          'peers',
          'start',
          'techSetting',
          'type',
          'types',
          'valids',
        ].map((name) => [name, `<${name}>`]),
      ),
    }
    const own = (rule: string) => !rule.startsWith('platform.') && rule !== 'file.unusable'
    for (const rule of FIELD_RULES.filter(own)) {
      const sentence = fieldProblem({ key: 'a', message: 'English', rule, values } as FieldProblem, 'vi')
      expect(sentence, rule).not.toContain('English')
      expect(sentence, rule).not.toMatch(/\{\w+\}/)
    }
  })

  it('a row of a batch is named by its line, so its fields go without it, and a parameter by its label', () => {
    const template = { params: [{ key: 'order_code', label: 'Mã đơn hàng' } as Template['params'][number]] }
    const phone = { index: 2, ...problem(['messages', 2, 'receiverPhone'], 'string.phone') }
    expect(refusedReason(phone, template, 'vi')).toBe('Số điện thoại không hợp lệ (ví dụ đúng: 0912 345 678)')
    expect(refusedReason(phone, template, 'en')).toBe('Phone number must be a valid phone number')
    const both = problem(['messages', 2], 'object.xor', { peers: ['receiverPhone', 'userUID'] })
    expect(refusedReason({ index: 2, ...both }, template, 'vi')).toBe(
      'Chỉ được có một trong [Số điện thoại, UID]',
    )
    const code = { index: 2, ...problem(['messages', 2, 'params', 'order_code'], 'any.required') }
    expect(refusedReason(code, template, 'vi')).toMatch(/^Mã đơn hàng là bắt buộc/)
    expect(refusedReason(code, undefined, 'vi')).toMatch(/order_code/)
    expect(refusedReason({ index: 2, message: 'Số dư ví không đủ' }, template, 'vi')).toBe(
      'Số dư ví không đủ',
    )
  })
})

describe('what a note above a form says of a field', () => {
  it('calls a template’s parameter by the label that the shop gave it, however it was sent', () => {
    const labels: Record<string, string> = { 'params.ten': 'Tên khách', 'templateData.ten': 'Tên khách' }
    for (const source of ['params', 'templateData']) {
      const missing = problem([source, 'ten'], 'any.required')
      expect(namedProblem(missing, 'vi', (path) => labels[path])).toBe('Tên khách là bắt buộc')
    }
    expect(namedProblem(problem(['price'], 'number.base'), 'vi', (path) => labels[path])).toBe(
      'Giá phải là số',
    )
  })
})

it.each([
  ['vi', 'Ví còn 0 đồng, tin nhắn giá 12000 đồng.', /^Ví còn 0\s₫, tin nhắn giá 12\.000\s₫\.$/],
  [
    'en',
    'The balance is 0 đồng, so it cannot change by -1000 đồng',
    /^The balance is ₫0, so it cannot change by -₫1,000$/,
  ],
] as const)(
  'amounts in a sentence of the service are written as on the screens, in %s',
  (language, said, shown) => {
    expect(withAmounts(said, language)).toMatch(shown)
  },
)
