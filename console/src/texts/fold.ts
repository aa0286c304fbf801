/** Folds text as the service does when it compares (server/src/lib/text/fold.ts): without accents and in lower case. */
export function fold(text: string): string {
  return text.normalize('NFD').toLowerCase().replace(/\p{M}/gu, '').replaceAll('đ', 'd').trim()
}
