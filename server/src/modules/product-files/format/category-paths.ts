import { isObjectId, type ObjectId } from '../../../lib/object-id.ts'
import { toNfc } from '../../../lib/text/text.ts'

type Named = { id: ObjectId; name: string; parent_id: ObjectId | null }

export type CategoryPaths = {
  /** How a file names a category: `Quần áo > Áo thun`, or its id if that path is ambiguous. */
  pathOf(id: ObjectId): string
  /**
   * The category that a cell names by its path from the root, by the end of that path, or by its id. Undefined if none
   * or several match.
   */
  find(cell: string): ObjectId | undefined
}

/** The names of a shop's categories as files write them; a `>` or `\` in a name is escaped with a `\`. */
export function categoryPaths(categories: Named[]): CategoryPaths {
  const byId = new Map(categories.map((category) => [category.id, category]))
  const lines = new Map(categories.map(({ id }) => [id, lineOf(id, byId)]))
  const whole = new Map<string, ObjectId[]>()
  const ends = new Map<string, ObjectId[]>()
  for (const [id, line] of lines) {
    add(whole, keyOf(line), id)
    for (let from = 0; from < line.length; from++) add(ends, keyOf(line.slice(from)), id)
  }
  return {
    pathOf(id) {
      const line = lines.get(id)
      if (line === undefined || whole.get(keyOf(line))?.length !== 1) return id
      return line.map((name) => name.replace(/[\\>]/g, '\\$&')).join(' > ')
    },
    find(cell) {
      const id = cell.trim().toLowerCase()
      if (isObjectId(id) && byId.has(id)) return id
      const key = keyOf(split(cell))
      const found = whole.get(key) ?? ends.get(key) ?? []
      return found.length === 1 ? found[0] : undefined
    },
  }
}

function lineOf(id: ObjectId, byId: Map<ObjectId, Named>): string[] {
  const names: string[] = []
  for (
    let at = byId.get(id);
    at !== undefined;
    at = at.parent_id === null ? undefined : byId.get(at.parent_id)
  ) {
    names.unshift(at.name)
  }
  return names
}

function keyOf(names: string[]): string {
  return JSON.stringify(names.map((name) => toNfc(name).trim()))
}

function split(cell: string): string[] {
  const names = ['']
  for (const [part] of cell.matchAll(/\\[\\>]|[\s\S]/g)) {
    if (part === '>') names.push('')
    else names[names.length - 1] += part.length === 2 && part.startsWith('\\') ? part[1]! : part
  }
  return names
}

function add(map: Map<string, ObjectId[]>, key: string, id: ObjectId): void {
  const ids = map.get(key)
  if (ids === undefined) map.set(key, [id])
  else ids.push(id)
}
