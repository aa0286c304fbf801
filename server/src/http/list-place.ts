import { Type } from 'typebox'
import { invalidQuery } from '../errors.ts'
import { cursorParts, cursorText } from '../lib/lists/cursor.ts'
import { listedWords } from '../lib/lists/listed-words.ts'
import type { Keyset, Place } from '../lib/lists/place.ts'
import { isObjectId, normalizeObjectId, type ObjectId } from '../lib/object-id.ts'

const MOST_IDS = 100
/** Asks for the first page of those that cursors lead through. */
const START = '*'

export const idsField = Type.Optional(
  Type.String({
    maxLength: 4_000,
    description: `Up to ${MOST_IDS} ids, \`a,b,c\`: only these records, all of them on one page`,
  }),
)

/** The parameters of a list beside its page numbers. */
export const placeFields = {
  ids: idsField,
  cursor: Type.Optional(
    Type.String({
      maxLength: 8_000,
      description:
        '`*` for the first page, then `meta.nextCursor`, with the same filters and order. `page` has no effect then. What is created or deleted meanwhile moves no other record',
    }),
  ),
}

/** In the `meta` of a list with {@link placeFields}. */
export const cursorFields = {
  nextCursor: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'Only with `cursor`: that of the next page; null on the last page',
    }),
  ),
}

/** The ids that a list is asked for. @throws ValidationError naming `ids`. */
export function askedIds(text: string | undefined): ObjectId[] | undefined {
  const words = listedWords(text)
  if (words.length === 0) return undefined
  if (words.length > MOST_IDS) throw invalidQuery('ids', 'array.max', { limit: MOST_IDS })
  return words.map((word) => {
    if (!isObjectId(word)) throw invalidQuery('ids', 'id.form')
    return normalizeObjectId(word)
  })
}

/** A {@link Place} of some shop's list, and how its next cursor is made. */
export type ListPlace = Place & {
  ids: ObjectId[] | undefined
  cursorAfter: (last: Keyset) => string | undefined
}

/**
 * The page that a query asks for: of some ids, behind a cursor, or by its number. `list` names the list and its order: a cursor
 * is good for these and the shop alone. `isText`: its sort key is no number.
 * @throws ValidationError naming `ids` or `cursor`.
 */
export function readPlace(
  asked: { ids?: string; cursor?: string; page: number; limit: number },
  shopId: ObjectId,
  list: string,
  isText = false,
): ListPlace {
  const { cursor, page, limit } = asked
  const ids = askedIds(asked.ids)
  const name = `list.${list}.1`
  const after = cursor === undefined || cursor === START ? undefined : keysetOf(cursor, shopId, name, isText)
  const cursorAfter = ({ key, id }: Keyset) =>
    cursor === undefined ? undefined : cursorText(shopId, name, [key, id])
  if (ids !== undefined) return { ids, limit: MOST_IDS, offset: 0, after, cursorAfter }
  return { ids, limit, offset: cursor === undefined ? (page - 1) * limit : 0, after, cursorAfter }
}

/** The cursor behind a page's last record, for its `meta`: nothing unless the query had one. */
export function cursorMeta(
  { ids, limit, cursorAfter }: ListPlace,
  count: number,
  last: Keyset | undefined,
): { nextCursor?: string | null } {
  const nextCursor = cursorAfter(last ?? { key: 0, id: '' })
  if (nextCursor === undefined) return {}
  return { nextCursor: ids !== undefined || count < limit || last === undefined ? null : nextCursor }
}

function keysetOf(text: string, shopId: ObjectId, name: string, isText: boolean): Keyset {
  const parts = cursorParts(text, shopId, name)
  const [key, id] = parts ?? []
  const isKey = isText ? typeof key === 'string' && !key.includes('\0') : Number.isSafeInteger(key)
  if (parts?.length !== 2 || !isKey || typeof id !== 'string' || !isObjectId(id))
    throw invalidQuery('cursor', 'cursor.unknown')
  return { key: key as string | number, id }
}
