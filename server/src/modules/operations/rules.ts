const MAX_ERROR = 300

/** Words of this length are tokens, hashes or signatures; ids have 24 or 36 characters. */
const LONG_WORD = /[\w+/=-]{40,}/g
/** A phone number, in any grouping of digits. */
const PHONE = /(?<![\w-])\+?\d(?:[ .-]?\d){8,14}(?![\w-])/g
const ADDRESS = /([a-z][a-z\d+.-]*:\/\/)([^\s/@]*@)?([^\s/?#]*)[^\s)"']*/gi

/**
 * A job's error as the operator reads it: its first line, at most 300 characters. Addresses are cut to scheme and host;
 * long words, which may be tokens, and phone numbers are removed. Null stays null.
 */
export function shortError(error: string | null): string | null {
  if (error === null) return null
  const [line = ''] = error.trim().split('\n', 1)
  const safe = line.replace(ADDRESS, '$1$3').replace(LONG_WORD, '…').replace(PHONE, '…')
  return safe.length > MAX_ERROR ? `${safe.slice(0, MAX_ERROR - 1)}…` : safe
}
