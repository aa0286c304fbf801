import { toNfc } from './text.ts'

/** The platform's technical type of a parameter. */
export type TechSetting =
  | '1'
  | '2'
  | '3'
  | '4'
  | '5'
  | '6'
  | '7'
  | '8'
  | '9'
  | '10'
  | '11'
  | '12'
  | '13'
  | '14'
  | '15'

export type SystemParam = { techSetting: TechSetting; label: string }

/** The longest value that each technical type allows, in code points after NFC. */
export const TECH_SETTINGS: Readonly<Record<TechSetting, { maxLength: number }>> = {
  '1': { maxLength: 30 },
  '2': { maxLength: 15 },
  '3': { maxLength: 200 },
  '4': { maxLength: 30 },
  '5': { maxLength: 30 },
  '6': { maxLength: 30 },
  '7': { maxLength: 50 },
  '8': { maxLength: 5 },
  '9': { maxLength: 200 },
  '10': { maxLength: 20 },
  '11': { maxLength: 20 },
  '12': { maxLength: 10 },
  '13': { maxLength: 200 },
  '14': { maxLength: 12 },
  '15': { maxLength: 90 },
}

/** The parameters that a template has without declaring them, when `isCustomParams` is false (G-13). */
export const SYSTEM_PARAMS: Readonly<Record<string, SystemParam>> = {
  customer_name: { techSetting: '1', label: 'Tên khách hàng' },
  customer_phone: { techSetting: '2', label: 'Số điện thoại khách hàng' },
  customer_address: { techSetting: '3', label: 'Địa chỉ khách hàng' },
  order_code: { techSetting: '4', label: 'Mã đơn hàng' },
  voucher_code: { techSetting: '5', label: 'Mã ưu đãi' },
  order_status: { techSetting: '6', label: 'Trạng thái đơn hàng' },
  shop_contact: { techSetting: '7', label: 'Liên hệ cửa hàng' },
  gender: { techSetting: '8', label: 'Danh xưng' },
  product_name: { techSetting: '9', label: 'Tên sản phẩm' },
  quantity: { techSetting: '10', label: 'Số lượng' },
  order_date: { techSetting: '11', label: 'Ngày đặt hàng' },
  otp: { techSetting: '12', label: 'Mã OTP' },
  link: { techSetting: '13', label: 'Đường dẫn' },
  total_amount: { techSetting: '14', label: 'Tổng tiền' },
  transfer_note: { techSetting: '15', label: 'Nội dung chuyển khoản' },
}

const KEY = String.raw`[\p{L}\p{M}\p{N}_]+`
const PARAM = new RegExp(`<(${KEY})>`, 'gu')
const ONLY_PARAM = new RegExp(`^<${KEY}>$`, 'u')
const ONLY_KEY = new RegExp(`^${KEY}$`, 'u')

/** The technical type of a one-time password. */
const OTP_TECH_SETTING = '12'

/** Whether the parameter is a one-time password. These are masked after sending, limited per recipient, and sent first. */
export function isOtp(param: { techSetting?: string | undefined }): boolean {
  return param.techSetting === OTP_TECH_SETTING
}

/** Whether the text names one of the fifteen technical types. */
export function isTechSetting(text: string): text is TechSetting {
  return Object.hasOwn(TECH_SETTINGS, text)
}

/** The system parameter with this key, or undefined (G-13). Safe for any key that a caller sends. */
export function findSystemParam(key: string): SystemParam | undefined {
  return Object.hasOwn(SYSTEM_PARAMS, key) ? SYSTEM_PARAMS[key] : undefined
}

/**
 * Whether a key can be declared: a text can contain it (letters of any script, digits and underscores only), and a
 * caller can send a value for it, which is impossible for `__proto__`.
 */
export function isParamKey(key: string): boolean {
  return key !== '__proto__' && ONLY_KEY.test(key)
}

/** Whether the text is exactly one `<param_key>`. */
export function isParam(text: string): boolean {
  return ONLY_PARAM.test(text)
}

/**
 * The distinct keys of the `<param_key>` places in a text, in NFC, in the order of first use (G-13). A place is `<`,
 * then letters of any script, digits or underscores, then `>`, with nothing else between. So `< a >`, `<a-b>`, `</a>`
 * and `<>` are plain text. `<b>` is a parameter, because messages contain no HTML.
 */
export function paramKeysIn(text: string): string[] {
  const keys = [...toNfc(text).matchAll(PARAM)].map((match) => match[1] ?? '')
  return [...new Set(keys)]
}

/**
 * The text in NFC, with each parameter's place replaced by its value. A place without a value stays as it is, and
 * places inside values are not replaced. The keys of `values` must be in NFC (G-21).
 */
export function fillParams(text: string, values: Readonly<Record<string, string>>): string {
  return toNfc(text).replace(PARAM, (place: string, key: string) =>
    Object.hasOwn(values, key) ? (values[key] ?? place) : place,
  )
}
