type Known = { _id: string; name: string; parentId: string | null }
/** A category to create: below an existing one, below another new one (its position in the list), or as a root. */
export type NewCategory = { name: string; parent: { id: string } | { at: number } | null; path: string }

/** The levels of the service's category tree. */
const MAX_LEVELS = 5
const ID = /^[0-9a-f]{24}$/i

/**
 * The categories to create so that the service finds each of the `cells`, parents first (G-37). A path continues an existing
 * category as far as the service itself would find one: from the root, or by the end of its path if only one category has
 * it. Left out is a cell of which a part matches several categories, since a new one would not be what it means, a cell with
 * too many levels, and an unknown id.
 */
export function missingCategories(cells: string[], categories: Known[]): NewCategory[] {
  const lines = linesOf(categories)
  const missing: NewCategory[] = []
  const positions = new Map<string, number>()
  for (const cell of cells) {
    const names = namesIn(cell)
    if (names.includes('') || ID.test(cell.trim())) continue
    const found = names.map((_, at) => matches(lines, names.slice(0, at + 1)))
    const known = found.findLastIndex((some) => some.length === 1)
    const parentLine = found[known]?.[0]
    const levels = (parentLine?.levels ?? 0) + names.length - known - 1
    if (known === names.length - 1 || found.some((some) => some.length > 1) || levels > MAX_LEVELS) continue
    let parent: NewCategory['parent'] = parentLine === undefined ? null : { id: parentLine.id }
    for (const [at, name] of names.entries()) {
      if (at <= known) continue
      const key: string = JSON.stringify([parent, keyOf([name])])
      const position: number = positions.get(key) ?? missing.length
      if (position === missing.length)
        missing.push({ name, parent, path: names.slice(0, at + 1).join(' > ') })
      positions.set(key, position)
      parent = { at: position }
    }
  }
  return missing
}

type Line = { id: string; key: string; levels: number }

function linesOf(categories: Known[]): Line[] {
  const byId = new Map(categories.map((one) => [one._id, one]))
  return categories.map((one) => {
    const names = lineOf(one, byId)
    return { id: one._id, key: keyOf(names), levels: names.length }
  })
}

/** The categories with this path from the root; if there is none, those whose path ends with it. */
function matches(lines: Line[], names: string[]): Line[] {
  const key = keyOf(names)
  const whole = lines.filter((line) => line.key === key)
  return whole.length > 0 ? whole : lines.filter((line) => line.key.endsWith(key))
}

/** The names, each after a character that a name cannot contain, so that a text ends with another one by whole names. */
function keyOf(names: string[]): string {
  return names.map((name) => `\0${name.normalize('NFC').trim()}`).join('')
}

function lineOf(category: Known, byId: Map<string, Known>): string[] {
  const parent = category.parentId === null ? undefined : byId.get(category.parentId)
  return [...(parent === undefined ? [] : lineOf(parent, byId)), category.name]
}

/** The names of a path such as `Quần áo > Áo thun`; a `\` precedes a `>` or `\` of a name. */
function namesIn(cell: string): string[] {
  const names = ['']
  for (const [part] of cell.matchAll(/\\[\\>]|[\s\S]/g)) {
    if (part === '>') names.push('')
    else names[names.length - 1] += part.length === 2 && part.startsWith('\\') ? part[1]! : part
  }
  return names.map((name) => name.trim())
}
