import { fold } from '../../../texts/fold.ts'

/** The platform's technical types with the longest value of each, in characters. */
export const TECH_LIMITS = {
  '1': 30,
  '2': 15,
  '3': 200,
  '4': 30,
  '5': 30,
  '6': 30,
  '7': 50,
  '8': 5,
  '9': 200,
  '10': 20,
  '11': 20,
  '12': 10,
  '13': 200,
  '14': 12,
  '15': 90,
} as const
export type TechSetting = keyof typeof TECH_LIMITS
export const TECH_SETTINGS = Object.keys(TECH_LIMITS).sort(
  (one, other) => Number(one) - Number(other),
) as TechSetting[]

const PLACE = /(<[\p{L}\p{M}\p{N}_]+>)/u

/**
 * Splits the text, in NFC, into plain text and `{key}` for each parameter. The service uses the same grammar: `<`,
 * letters, digits or underscores, `>`, and nothing else between.
 */
export function piecesOf(text: string): (string | { key: string })[] {
  return text
    .normalize('NFC')
    .split(PLACE)
    .filter((piece) => piece !== '')
    .map((piece) => (PLACE.test(piece) ? { key: piece.slice(1, -1) } : piece))
}

/** The distinct keys of the parameters in these texts, in the order of first use. */
export function keysIn(texts: string[]): string[] {
  const keys = texts.flatMap(piecesOf).flatMap((piece) => (typeof piece === 'string' ? [] : [piece.key]))
  return [...new Set(keys)]
}

/** The key for a parameter's name in words, `Ngày giao` → `ngay_giao`; empty if no usable character is left. */
export function keyOf(name: string): string {
  return fold(name)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
}

/** The number of characters as the platform counts them: code points after NFC. */
export function lengthOf(text: string): number {
  return [...text.normalize('NFC')].length
}

/** Suggestions by a parameter's name; the first match counts. Customers may read the samples. */
const GUESSES: { name: RegExp; techSetting: TechSetting; label: string; sampleValue: string }[] = [
  { name: /otp|xac_thuc/, techSetting: '12', label: 'Mã OTP', sampleValue: '493027' },
  { name: /phone|sdt|dien_thoai/, techSetting: '2', label: 'Số điện thoại', sampleValue: '0912345678' },
  { name: /address|dia_chi/, techSetting: '3', label: 'Địa chỉ', sampleValue: '12 Lê Lợi, Quận 1' },
  { name: /product|san_pham/, techSetting: '9', label: 'Tên sản phẩm', sampleValue: 'Trà sen Tây Hồ' },
  { name: /voucher|ma_uu_dai|coupon/, techSetting: '5', label: 'Mã ưu đãi', sampleValue: 'QUATANG50' },
  { name: /status|trang_thai/, techSetting: '6', label: 'Trạng thái', sampleValue: 'Đang giao' },
  { name: /contact|lien_he/, techSetting: '7', label: 'Liên hệ', sampleValue: '024 3825 0000' },
  { name: /gender|danh_xung/, techSetting: '8', label: 'Danh xưng', sampleValue: 'Chị' },
  { name: /quantity|so_luong/, techSetting: '10', label: 'Số lượng', sampleValue: '2' },
  { name: /date|time|ngay|gio$|expiry/, techSetting: '11', label: 'Thời gian', sampleValue: '21/11/2026' },
  { name: /link|url/, techSetting: '13', label: 'Đường dẫn', sampleValue: 'https://shop.example' },
  { name: /amount|price|total|so_tien|tong/, techSetting: '14', label: 'Số tiền', sampleValue: '1250000' },
  { name: /transfer|chuyen_khoan/, techSetting: '15', label: 'Nội dung chuyển khoản', sampleValue: 'DH1024' },
  { name: /code|ma_/, techSetting: '4', label: 'Mã', sampleValue: 'DH1024' },
  { name: /name|ten|khach/, techSetting: '1', label: 'Tên khách hàng', sampleValue: 'Nguyễn Thị Ánh' },
]

/** The suggested values for a parameter with this name. For an unknown name, only the label is suggested. */
export function guessParam(key: string): {
  label: string
  techSetting: TechSetting | ''
  sampleValue: string
} {
  const { label, techSetting, sampleValue } = GUESSES.find(({ name }) => name.test(key.toLowerCase())) ?? {
    label: key.replaceAll('_', ' '),
    techSetting: '' as const,
    sampleValue: '',
  }
  return { label, techSetting, sampleValue }
}
