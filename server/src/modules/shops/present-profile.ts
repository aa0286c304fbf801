import type { ShopProfile } from './sql.ts'

/** What a shop's counter prints and shows. */
export function presentProfile(row: ShopProfile) {
  const { address, phone, taxCode, printNote, printPaper, bankBin, bankNumber, bankHolder } = row
  return { address, phone, taxCode, printNote, printPaper, bank: bankOf(bankBin, bankNumber, bankHolder) }
}

function bankOf(bin: string | null, number: string | null, holder: string | null) {
  return bin === null || number === null || holder === null ? null : { bin, number, holder }
}
