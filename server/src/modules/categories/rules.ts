import { invalidField } from '../../errors.ts'
import { isObjectId, type ObjectId } from '../../lib/object-id.ts'
import { slugify } from '../../lib/text/slug.ts'

/** A root category is on level 1. */
export const MAX_LEVELS = 5

/** The list reads all categories at once, so more would slow it down for everyone. */
export const MAX_CATEGORIES = 5000

/** The text from which a category's slug is made: the slug sent, else the name; never empty (G-37). */
export function slugBase(sent: string | undefined, name: string): string {
  return slugify(sent ?? '') || slugify(name) || 'category'
}

/**
 * The slug base of a change. Undefined keeps the slug, both if the field is absent and if it has no letter or digit: a known
 * address survives a new name.
 */
export function nextSlugBase(sent: string | undefined, current: string): string | undefined {
  const wanted = slugify(sent ?? '')
  return wanted === '' || wanted === current ? undefined : wanted
}

/**
 * The parent that a body names, as it is stored: undefined if the field is absent, null for a root.
 * @throws ValidationError when the text cannot be an id; the database checks whether it belongs to the shop.
 */
export function parentIdOf(sent: string | null | undefined): ObjectId | null | undefined {
  if (sent === undefined || sent === null) return sent
  if (!isObjectId(sent)) throw unknownParent()
  return sent.toLowerCase()
}

/**
 * Checks whether a category may be placed below a parent. `parentLine` is the parent and its ancestors, empty if there is no such
 * parent; `levels` is the number of levels that the category takes, including itself.
 * @throws ValidationError for an unknown parent, for the category itself or one below it, and beyond MAX_LEVELS.
 */
export function assertPlace(category: { id: ObjectId; levels: number }, parentLine: ObjectId[]): void {
  if (parentLine.length === 0) throw unknownParent()
  if (parentLine.includes(category.id)) {
    throw invalidField(['parentId'], 'category.ownSubcategory')
  }
  if (parentLine.length + category.levels > MAX_LEVELS) {
    throw invalidField(['parentId'], 'category.tooDeep', { limit: MAX_LEVELS })
  }
}

function unknownParent() {
  return invalidField(['parentId'], 'shop.unknown', { kind: 'category' })
}

/**
 * Whether this is the text of a category's place in the tree: the sort order, name and id of each category from its root down to
 * itself.
 */
export function isTreeKey(key: unknown): boolean {
  if (typeof key !== 'string') return false
  try {
    const levels: unknown = JSON.parse(key)
    return (
      Array.isArray(levels) && levels.length > 0 && levels.length <= MAX_LEVELS && levels.every(isSortKey)
    )
  } catch {
    return false
  }
}

function isSortKey(level: unknown): boolean {
  if (!Array.isArray(level) || level.length !== 3) return false
  const [sortOrder, name, id] = level
  const isOrder = Number.isInteger(sortOrder) && Math.abs(sortOrder) < 2 ** 31
  const isName = typeof name === 'string' && name.isWellFormed() && !name.includes('\0')
  return isOrder && isName && typeof id === 'string' && isObjectId(id)
}
