import type { Language } from './catalogue.ts'

/**
 * What the service says of a field, which the API has in English whatever the language (`"price" must be a number`),
 * part by part: the field's path and the rest.
 */
const SENTENCE = /^"([^"]+)" (.+)$/s

const VIETNAMESE: [RegExp, string][] = [
  [/^is required$/, 'là bắt buộc'],
  [/^is required for a transfer$/, 'là bắt buộc khi chuyển kho'],
  [/^is allowed only for a transfer$/, 'chỉ dùng khi chuyển kho'],
  [/^is not allowed to be empty$/, 'không được để trống'],
  [/^is not allowed$/, 'không được có ở đây'],
  [/^must be a valid phone number$/, 'không phải là số điện thoại hợp lệ'],
  [/^must be a valid email$/, 'không phải là địa chỉ email hợp lệ'],
  [/^must be a valid uri$/, 'không phải là địa chỉ web hợp lệ'],
  [
    /^must be an http or https address without user name and password$/,
    'phải là địa chỉ http hoặc https, không kèm tên đăng nhập và mật khẩu',
  ],
  [/^must be a valid GUID$/, 'phải là một GUID hợp lệ'],
  [
    /^must be (?:in ISO 8601 date format|an ISO 8601 date or time|in iso format|a date)$/,
    'không phải là ngày giờ hợp lệ',
  ],
  [/^must be in the future$/, 'phải ở tương lai'],
  [/^must be at most (\d+) days ahead$/, 'không được quá $1 ngày kể từ bây giờ'],
  [/^must be a string$/, 'phải là chữ'],
  [/^must be a number$/, 'phải là số'],
  [/^must be a safe number$/, 'là số quá lớn'],
  [/^must be an integer$/, 'phải là số nguyên'],
  [/^must be a boolean$/, 'phải là đúng hoặc sai'],
  [/^must be an array$/, 'phải là một danh sách'],
  [/^must be of type object$/, 'phải là một đối tượng'],
  [/^must be greater than or equal to (\S+)$/, 'phải từ $1 trở lên'],
  [/^must be greater than (\S+)$/, 'phải lớn hơn $1'],
  [/^must be less than or equal to (\S+)$/, 'không được lớn hơn $1'],
  [/^must be less than (\S+)$/, 'phải nhỏ hơn $1'],
  [/^must be positive for a top_up$/, 'phải lớn hơn 0 khi nạp tiền'],
  [/^must be (?:one of )?(\[.*\])$/, 'phải là một trong $1'],
  [/^length must be at least (\d+) characters long$/, 'phải có ít nhất $1 ký tự'],
  [/^length must be less than or equal to (\d+) characters long$/, 'không được dài quá $1 ký tự'],
  [/^must contain at least (\d+) items$/, 'phải có ít nhất $1 mục'],
  [/^must contain less than or equal to (\d+) items$/, 'không được có quá $1 mục'],
  [/^must contain at least one of (\[.*\])$/, 'phải có ít nhất một trong $1'],
  [/^contains a conflict between exclusive peers (\[.*\])$/, 'chỉ được có một trong $1'],
]

/** The sentence in the reader's language, `"price" phải là số`; one that is not known stays as it is. */
export function fieldProblem(sentence: string, language: Language): string {
  const [, path, rest] = SENTENCE.exec(sentence) ?? []
  if (path === undefined || rest === undefined) return sentence
  return `"${path}" ${inLanguage(rest, language)}`
}

/** The same to stand at the field itself, without its name: `Phải là số`. */
export function ownProblem(sentence: string, language: Language): string {
  const rest = SENTENCE.exec(sentence)?.[2]
  if (rest === undefined) return sentence
  const text = inLanguage(rest, language)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function inLanguage(rest: string, language: Language): string {
  if (language === 'en') return rest
  const known = VIETNAMESE.find(([says]) => says.test(rest))
  return known === undefined ? rest : rest.replace(known[0], known[1])
}
