/** The words of a parameter such as `a,b,c`, each once; none for an absent one. */
export function listedWords(text: string | undefined): string[] {
  const words = (text ?? '').split(',').map((word) => word.trim())
  return [...new Set(words.filter((word) => word !== ''))]
}
