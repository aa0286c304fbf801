import type { SmsTextSize } from './rules.ts'

/** A template's SMS text with its size. `price`, of one SMS, is null while the shop has no sender. */
export function presentSmsText(
  row: { text: string; price: number | null; created_at: Date; updated_at: Date },
  size: SmsTextSize,
) {
  return {
    text: row.text,
    alphabet: size.alphabet,
    length: size.length,
    parts: size.parts,
    mostParts: size.mostParts,
    price: row.price,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
