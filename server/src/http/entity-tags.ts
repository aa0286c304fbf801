/** One entry of a header's list of entity tags, possibly empty, and the comma or end that follows it (RFC 9110, 8.8.3). */
const ENTRY = /[ \t]*(?:((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(,|$)/y

/** The tags in `If-Match` or `If-None-Match`; undefined if it is no list of tags, or an empty one. */
export function tagsOf(header: string): string[] | undefined {
  const tags: string[] = []
  ENTRY.lastIndex = 0
  for (;;) {
    const found = ENTRY.exec(header)
    if (found === null) return undefined
    if (found[1] !== undefined) tags.push(found[1])
    if (found[2] === '') break
  }
  return tags.length === 0 ? undefined : tags
}

/** Whether `If-None-Match` is `*` or contains the tag, by weak comparison (RFC 9110, 13.1.2). */
export function isTagHeld(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return (tagsOf(header) ?? []).some((one) => one.replace(/^W\//, '') === tag)
}
