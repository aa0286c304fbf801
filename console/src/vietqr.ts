/** The bank account for a transfer. */
export type Bank = { bin: string; number: string; holder: string }

const NAPAS = 'A000000727'
/** The service code of an immediate transfer to an account. */
const TO_ACCOUNT = 'QRIBFTTA'
const DONG = '704'
const MAX_REFERENCE = 25

/**
 * The text of a VietQR code (EMVCo's merchant-presented QR with NAPAS's tag 38) for one transfer of an amount in đồng
 * to an account, with a reference. Banks accept unaccented letters, digits and blanks in the reference, at most 25.
 */
export function vietQrText(
  { bin, number }: Pick<Bank, 'bin' | 'number'>,
  vnd: number,
  reference: string,
): string {
  const account = field('00', bin) + field('01', number)
  const words = plain(reference)
  const text = [
    field('00', '01'),
    // The code is for a single payment.
    field('01', '12'),
    field('38', field('00', NAPAS) + field('01', account) + field('02', TO_ACCOUNT)),
    field('53', DONG),
    field('54', String(vnd)),
    field('58', 'VN'),
    words === '' ? '' : field('62', field('08', words)),
    // The checksum also covers its own tag and length.
    '6304',
  ].join('')
  return text + crc16(text)
}

function field(id: string, value: string): string {
  return id + String(value.length).padStart(2, '0') + value
}

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/đ/g, 'd')
    .replace(/Đ/g, 'D')
    .replace(/[^0-9A-Za-z ]/g, '')
    .trim()
    .slice(0, MAX_REFERENCE)
    .trim()
}

/** CRC-16/CCITT-FALSE of an ASCII text, as four hexadecimal digits. */
export function crc16(text: string): string {
  let crc = 0xffff
  for (let at = 0; at < text.length; at++) {
    crc ^= text.charCodeAt(at) << 8
    for (let bit = 0; bit < 8; bit++)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}
