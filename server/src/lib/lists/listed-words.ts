/** The distinct words of a parameter such as `a,b,c`; empty for an absent parameter. */
export function listedWords(text: string | undefined): string[] {
  const words = (text ?? '').split(',').map((word) => word.trim())
  return [...new Set(words.filter((word) => word !== ''))]
}
