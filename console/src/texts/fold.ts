/**
 * Folds text as the service does when it compares (server/src/lib/text/fold.ts): without accents and invisible characters, in
 * lower case, with single spaces.
 */
export function fold(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replaceAll('đ', 'd')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}
