/** As the service compares texts (server/src/lib/text/fold.ts): without accents, small. */
export function fold(text: string): string {
  return text.normalize('NFD').toLowerCase().replace(/\p{M}/gu, '').replaceAll('đ', 'd').trim()
}
