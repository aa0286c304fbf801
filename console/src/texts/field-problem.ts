import type { components } from '@shopbell/client'
import type { Language } from './catalogue.ts'
import { fieldName } from './field-name.ts'

/** The service's problem with one field: an English sentence, and its rule and values for other languages (G-03). */
export type FieldProblem = components['schemas']['FieldProblem']
type FieldRule = FieldProblem['rule']
/** The rules whose sentences the service itself has in the reader's language. */
type Translated = Extract<FieldRule, `platform.${string}` | 'file.unusable'>

/** Each sentence follows the field's name. `{name}` stands for one of the values. */
const VIETNAMESE: Record<Exclude<FieldRule, Translated>, string> = {
  'alternatives.match': 'không đúng dạng nào được phép',
  'alternatives.types': 'phải là một trong {types}',
  'audience.value': 'không được chứa {name}: hãy dùng {valids}',
  'amount.notZero': 'phải khác 0',
  'amount.topUp': 'phải lớn hơn 0 khi nạp tiền',
  'any.only': 'phải là một trong {valids}',
  'any.required': 'là bắt buộc',
  'array.base': 'phải là một danh sách',
  'array.max': 'không được có quá {limit} mục',
  'array.min': 'phải có ít nhất {limit} mục',
  'body.empty': 'Yêu cầu không có nội dung',
  'body.length': 'Nội dung gửi lên không đủ độ dài đã báo',
  'body.notJson': 'Nội dung gửi lên không phải là JSON hợp lệ',
  'body.notUtf8': 'Nội dung gửi lên không phải là UTF-8 hợp lệ',
  'body.tooDeep': 'lồng quá nhiều cấp',
  'body.tooManyValues': 'Nội dung gửi lên có quá nhiều trường hoặc mục',
  'boolean.base': 'phải là đúng hoặc sai',
  'category.ownSubcategory': 'không được là chính danh mục này hoặc danh mục con của nó',
  'category.tooDeep': 'sẽ làm cây danh mục sâu quá {limit} cấp',
  'date.format': 'không phải là ngày giờ hợp lệ',
  'date.min': 'không được trước {limit}',
  'date.future': 'phải ở tương lai',
  'date.past': 'không được ở tương lai',
  'cursor.unknown': 'phải là con trỏ mà cửa hàng này đã nhận được',
  'date.instant': 'không phải là ngày giờ hợp lệ',
  'date.lastDays': 'phải nằm trong {limit} ngày gần đây',
  'date.tooFarAhead': 'không được quá {limit} ngày kể từ bây giờ',
  'file.empty': 'không có nội dung',
  'header.tags': 'phải là * hoặc danh sách thẻ trong dấu ngoặc kép',
  'html.tags': 'không được có quá {limit} thẻ HTML',
  'id.form': 'phải là một mã gồm 24 chữ số hệ 16',
  'id.templateForm': 'phải là một mã gồm 24 chữ số hệ 16 hoặc mã số trên nền tảng',
  'id.twice': 'trùng với một _id phía trước',
  'images.characters': 'chỉ được dài tổng cộng tối đa {limit} ký tự',
  'import.barcodeOfLine': 'trùng mã vạch với dòng {line}',
  'import.cellType': 'phải là chữ hoặc số',
  'import.codeOfLine': 'trùng mã với dòng {line}',
  'import.customerOfRow': 'là cùng một khách với dòng {line}',
  'import.codesOfTwoProducts': 'và "skuCode" thuộc hai sản phẩm khác nhau',
  'import.earlierLines': 'thuộc một sản phẩm đã có ở các dòng trước',
  'import.imageList': 'phải là các địa chỉ cách nhau bằng khoảng trắng, hoặc một danh sách JSON',
  'import.linesDiffer': 'khác với dòng đầu của sản phẩm',
  'import.notConsecutive':
    'đã có ở các dòng trước: các dòng của một sản phẩm, tối đa {limit} dòng, phải đứng liền nhau',
  'import.optionName': 'là bắt buộc khi có giá trị của lựa chọn',
  'import.stockOfSku': 'ở dòng không có phiên bản, trong khi sản phẩm có các phiên bản riêng',
  'import.skuCode': 'là mã của một phiên bản của sản phẩm: hãy ghi vào cột "skuCode"',
  'inventory.countOnly': 'chỉ dùng khi kiểm kho',
  'inventory.receiveOnly': 'chỉ dùng khi nhập hàng',
  'inventory.sameWarehouse': 'phải khác kho xuất',
  'inventory.skuTwice': 'trùng phiên bản với một dòng phía trước',
  'inventory.transferOnly': 'chỉ dùng khi chuyển kho',
  'inventory.transferTarget': 'là bắt buộc khi chuyển kho',
  'line.cellCount': 'Dòng có {cells} ô, dòng tên cột có {columns} ô',
  'line.notJson': 'Dòng không phải là JSON hợp lệ',
  'line.notObject': 'Dòng không phải là một đối tượng JSON',
  'news.link': 'phải bắt đầu bằng {start}',
  'number.base': 'phải là số',
  'number.greater': 'phải lớn hơn {limit}',
  'number.infinity': 'không được là vô cực',
  'number.integer': 'phải là số nguyên',
  'number.less': 'phải nhỏ hơn {limit}',
  'number.max': 'không được lớn hơn {limit}',
  'number.min': 'phải từ {limit} trở lên',
  'number.precision': 'không được có quá {limit} chữ số thập phân',
  'number.unsafe': 'là số quá lớn',
  'object.base': 'phải là một đối tượng',
  'object.max': 'không được có quá {limit} trường',
  'object.min': 'phải có ít nhất {limit} trường',
  'object.missing': 'phải có ít nhất một trong {peers}',
  'object.unknown': 'không được có ở đây',
  'object.xor': 'chỉ được có một trong {peers}',
  'option.nameTwice': 'trùng với một lựa chọn khác của nhóm này',
  'option.twice': 'trùng id với một lựa chọn khác',
  'order.lineTwice': 'trùng một dòng hàng phía trước',
  'order.reasonOfCancelled': 'chỉ dùng khi hủy đơn',
  'order.restockedOnly': 'chỉ dùng khi nhập lại kho',
  'order.sellable': 'phải là phiên bản của cửa hàng này, hoặc sản phẩm có đúng một phiên bản',
  'order.unknownLine': 'không phải dòng hàng của đơn này',
  'page.bytes': 'phải từ {limit} trở xuống ở trang này: dữ liệu lớn hơn mức một lần trả về',
  'page.withCursor': 'không được gửi cùng "cursor", vì con trỏ đã cho biết trang bắt đầu ở đâu',
  'param.fixed': 'đã cố định trong mẫu tin, không được gửi',
  'product.unknown': 'không phải là {kind} của sản phẩm này',
  'query.encoding': 'phải là UTF-8 được mã hóa phần trăm: hãy viết dấu % là %25',
  'select.parts': 'phải là danh sách gồm {valids}',
  'sms.param': 'không được chứa <{key}>, vì mẫu tin chưa khai báo tham số này',
  'sms.parts': 'không được dài quá {limit} SMS khi các tham số có giá trị dài nhất',
  'shop.unknown': 'không phải là {kind} của cửa hàng này',
  'sku.barcodeTwice': 'trùng mã vạch với một phiên bản khác',
  'sku.codeTwice': 'trùng mã với một phiên bản khác',
  'sku.combinationTwice': 'trùng các lựa chọn với một phiên bản khác',
  'sku.idTwice': 'trùng _id với một phiên bản khác',
  'sku.optionMissing': 'phải có một lựa chọn của mỗi nhóm',
  'sku.optionUnknown': 'không phải là một lựa chọn của các nhóm lựa chọn',
  'sku.twoOptionsOfGroup': 'chọn hai lựa chọn của cùng một nhóm',
  'string.base': 'phải là chữ',
  'string.blankEnds': 'không được có khoảng trắng ở đầu hoặc cuối',
  'string.email': 'không phải là địa chỉ email hợp lệ',
  'string.empty': 'không được để trống',
  'string.invisible': 'không được có ký tự điều khiển hoặc ký tự ẩn',
  'string.isoDate': 'không phải là ngày giờ hợp lệ',
  'string.marks': 'không được có quá {limit} dấu liền nhau trên một chữ',
  'string.max': 'không được dài quá {limit} ký tự',
  'string.min': 'phải có ít nhất {limit} ký tự',
  'string.pattern.base': 'không đúng dạng yêu cầu',
  'string.phone': 'không hợp lệ (ví dụ đúng: 0912 345 678)',
  'string.unstorable': 'không được có ký tự NUL hoặc ký tự Unicode hỏng',
  'string.uri': 'không phải là địa chỉ web hợp lệ',
  'string.uriCustomScheme': 'không phải là địa chỉ web hợp lệ',
  'string.words': 'không được có quá {limit} từ khác nhau',
  'template.address': 'không phải là địa chỉ web hợp lệ',
  'template.blockContent': 'là bắt buộc',
  'template.blockId': 'phải là một UUID hợp lệ',
  'template.blockIdTwice': 'trùng id với một khối khác',
  'template.buttonAddress': 'là bắt buộc với nút loại {type}',
  'template.buttonPhone': 'là bắt buộc với nút loại {type}',
  'template.content': 'là bắt buộc',
  'template.contentSize': 'chỉ được có tối đa {most} ký tự tính chung mọi khối',
  'template.images': 'phải có ít nhất 1 ảnh khi ảnh đầu tin là hình ảnh',
  'template.logoDark': 'là bắt buộc khi ảnh đầu tin là logo',
  'template.logoLight': 'là bắt buộc khi ảnh đầu tin là logo',
  'template.maxLength': 'phải là {maxLength} với loại dữ liệu {techSetting}',
  'template.noSystemParam': 'dùng <{key}> nhưng đó không phải tham số của hệ thống',
  'template.officialAccount': 'phải là Official Account đã liên kết với cửa hàng này',
  'template.olderForm': 'là bắt buộc',
  'template.paramKey': 'chỉ được gồm chữ cái, chữ số và dấu gạch dưới',
  'template.paramKeyTwice': 'trùng tên với một tham số khác',
  'template.shownBlock': 'phải có một khối {type} với nội dung giống hệt "{type}"',
  'template.starTwice': 'trùng số sao với một mục khác',
  'template.techSetting': 'là bắt buộc',
  'template.undeclaredParam': 'dùng <{key}> nhưng mẫu tin chưa khai báo tham số này',
  'template.voucherDate':
    'phải là ngày/tháng/năm, giờ:phút ngày/tháng/năm, giờ:phút:giây ngày/tháng/năm hoặc ISO 8601, hoặc đúng một <tham_số>',
  'template.voucherDates': 'không được trước ngày bắt đầu',
  'tier.notAbove': 'phải lớn hơn {limit}, số lượng của mức giá sỉ trước của phiên bản này',
  'variantGroup.twice': 'trùng id với một nhóm khác',
  'warehouse.lastDefault': 'không thể bỏ: hãy đặt một kho khác làm mặc định',
  'webhook.privateAddress': 'không được trỏ vào mạng nội bộ',
  'webhook.url':
    'phải là địa chỉ http hoặc https, không kèm tên đăng nhập và mật khẩu, cổng khác 0, tên miền tối đa 253 ký tự',
}

const KINDS: Record<string, string> = {
  SKU: 'phiên bản',
  category: 'danh mục',
  customer: 'khách hàng',
  member: 'thành viên',
  movement: 'dòng lịch sử kho',
  'sub-item': 'món thêm',
  'sub-items group': 'nhóm món thêm',
  warehouse: 'kho',
  'wholesale price': 'giá bán sỉ',
}

/** The sentence in the reader's language, `"price" phải là số`. */
export function fieldProblem(problem: FieldProblem, language: Language): string {
  if (language === 'en' || !isOurs(problem.rule)) return problem.message
  const { label } = problem.values
  const sentence = vietnamese(problem.rule, problem.values)
  return problem.key === '' && label === undefined ? sentence : `"${String(label)}" ${sentence}`
}

/** What is said at a field that has to be filled in. */
export const EMPTY: Record<Language, string> = { vi: 'Hãy điền ô này', en: 'Fill in this field' }

/** The sentence for the field itself, without its name: `Phải là số`. */
export function ownProblem(problem: FieldProblem, language: Language): string {
  if (problem.rule === 'any.required' || problem.rule === 'string.empty') return EMPTY[language]
  return withoutName(problem, language)
}

function withoutName(problem: FieldProblem, language: Language): string {
  const sentence = fieldProblem(problem, language)
  const name = `"${String(problem.values.label)}" `
  const rest = sentence.startsWith(name) ? sentence.slice(name.length) : sentence
  return rest.charAt(0).toUpperCase() + rest.slice(1)
}

/**
 * The sentence with the screen's name of the field, or with its path if no screen names it. `labelOf` gives the name of a field
 * that the shop itself named, by the field's path.
 */
export function namedProblem(
  problem: FieldProblem,
  language: Language,
  labelOf?: (path: string) => string | undefined,
): string {
  const name = labelOf?.(problem.key) ?? fieldName(problem.key, language)
  if (name === undefined) return fieldProblem(problem, language)
  const own = withoutName(problem, language)
  return `${name} ${own.charAt(0).toLowerCase()}${own.slice(1)}`
}

const namesOf = (paths: readonly string[]) =>
  `[${paths.map((path) => fieldName(path, 'vi') ?? path).join(', ')}]`

/** Whether the rule is known. For an unknown rule of a newer service, the service's own sentence is shown. */
function isOurs(rule: FieldRule): rule is keyof typeof VIETNAMESE {
  return Object.hasOwn(VIETNAMESE, rule)
}

function vietnamese(rule: keyof typeof VIETNAMESE, { fix, ...values }: FieldProblem['values']): string {
  const sentence = VIETNAMESE[rule].replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    if (name === 'peers' && Array.isArray(value)) return namesOf(value)
    if (Array.isArray(value)) return `[${value.map(String).join(', ')}]`
    if (value === undefined) return whole
    return name === 'kind' ? (KINDS[String(value)] ?? String(value)) : String(value)
  })
  // `fix` is already in the reader's language.
  return fix === undefined ? sentence : `${sentence}. ${String(fix)}`
}

/** What a screen shows of problems: one sentence, also with labels of its own for fields, and a message for each field by its path. */
export type WordedProblems = {
  sentence: string
  sentenceBy: (labelOf: (path: string) => string | undefined) => string
  fields: Record<string, string>
}

export function wordedProblems(problems: FieldProblem[], language: Language): WordedProblems {
  const sentenceBy: WordedProblems['sentenceBy'] = (labelOf) =>
    problems.map((problem) => namedProblem(problem, language, labelOf)).join('. ')
  return {
    sentence: sentenceBy(() => undefined),
    sentenceBy,
    fields: Object.fromEntries(problems.map((problem) => [problem.key, ownProblem(problem, language)])),
  }
}
