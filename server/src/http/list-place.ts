import { Type } from 'typebox'
import { invalidQuery } from '../errors.ts'
import { cursorParts, cursorText } from '../lib/lists/cursor.ts'
import { listedWords } from '../lib/lists/listed-words.ts'
import type { Keyset, Place } from '../lib/lists/place.ts'
import { isObjectId, normalizeObjectId, type ObjectId } from '../lib/object-id.ts'

const MOST_IDS = 100
/** The value of `cursor` that asks for the first page. */
const START = '*'

const idsField = Type.Optional(
  Type.String({
    maxLength: 4_000,
    description: `Up to ${MOST_IDS} ids, \`a,b,c\`: only these records, all of them on one page`,
  }),
)

/** The `ids` parameter of an export or a sum. */
export const exportedIds = Type.Optional(
  Type.String({ maxLength: 4_000, description: `Up to ${MOST_IDS} ids, \`a,b,c\`: only these records` }),
)

/** The parameters that choose a list's page, other than page numbers. */
export const placeFields = {
  ids: idsField,
  cursor: Type.Optional(
    Type.String({
      maxLength: 8_000,
      description:
        '`*` for the first page, then `meta.nextCursor`, with the same filters and order, and without `page`. Records that are created or deleted meanwhile do not move others to another page',
    }),
  ),
}

/** The `meta` fields of a list with {@link placeFields}. */
export const cursorFields = {
  nextCursor: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description:
        'Only with `cursor`: the cursor of the next page; null on the last page. Only this says whether there are more: a page may have fewer than `limit`',
    }),
  ),
}

/**
 * The ids that the query asks for, if any.
 * @throws ValidationError naming `ids`.
 */
export function askedIds(text: string | undefined): ObjectId[] | undefined {
  const words = listedWords(text)
  if (words.length === 0) return undefined
  if (words.length > MOST_IDS) throw invalidQuery('ids', 'array.max', { limit: MOST_IDS })
  return words.map((word) => {
    if (!isObjectId(word)) throw invalidQuery('ids', 'id.form')
    return normalizeObjectId(word)
  })
}

/** A {@link Place} in a list, and how its next cursor is made. */
export type ListPlace = Place & {
  ids: ObjectId[] | undefined
  isByCursor: boolean
  cursorAfter: (last: Keyset) => string
}

/** The owner of lists that concern no single shop. Their cursors are not valid for any shop's list. */
export const ALL_SHOPS = '*'

/** Whether a value from a cursor can be the list's sort key. */
type KeyCheck = (key: unknown) => boolean

/** The check for a list that is sorted by text. */
export const isTextKey: KeyCheck = (key) => typeof key === 'string' && !key.includes('\0')

/**
 * The page that a query asks for: certain ids, the page after a cursor, or a page number. `list` names the list and its
 * order. A cursor is valid only for that list and that `owner`: a shop or {@link ALL_SHOPS}.
 * @throws ValidationError naming `ids` or `cursor`, or a `page` other than the first, which no cursor can have.
 */
export function readPlace(
  asked: { ids?: string; cursor?: string; page?: number; limit: number },
  owner: ObjectId,
  list: string,
  isKey: KeyCheck = Number.isSafeInteger,
): ListPlace {
  const { cursor, page = 1, limit } = asked
  const ids = askedIds(asked.ids)
  const name = `list.${list}.1`
  const isByCursor = cursor !== undefined
  if (isByCursor && page !== 1) throw invalidQuery('page', 'page.withCursor')
  const after = cursor === undefined || cursor === START ? undefined : keysetOf(cursor, owner, name, isKey)
  const cursorAfter = ({ key, id }: Keyset) => cursorText(owner, name, [key, id])
  const place = { ids, after, isByCursor, cursorAfter }
  if (ids !== undefined) return { ...place, limit: MOST_IDS, offset: 0 }
  return { ...place, limit, offset: isByCursor ? 0 : (page - 1) * limit }
}

/**
 * The cursor after a page's last record, for its `meta`. Empty unless the query had a cursor. `found` is the number of the page's
 * records, of which the first `fit` fit into a response; `last` is the last of these. A page by cursor ends there, as the
 * next one goes on after it.
 * @throws ValidationError naming `limit` for a page by number that does not fit: its other records would be on no page (decision 0060)
 */
export function cursorMeta(
  { ids, limit, isByCursor, cursorAfter }: ListPlace,
  found: number,
  last: Keyset | undefined,
  fit = found,
): { nextCursor?: string | null } {
  const isCut = fit < found
  if (!isByCursor) {
    if (isCut) throw invalidQuery('limit', 'page.bytes', { limit: fit })
    return {}
  }
  const isLast = last === undefined || (!isCut && (ids !== undefined || found < limit))
  return { nextCursor: isLast ? null : cursorAfter(last) }
}

function keysetOf(text: string, owner: ObjectId, name: string, isKey: KeyCheck): Keyset {
  const parts = cursorParts(text, owner, name)
  const [key, id] = parts ?? []
  if (parts?.length !== 2 || !isKey(key) || typeof id !== 'string' || !isObjectId(id))
    throw invalidQuery('cursor', 'cursor.unknown')
  return { key: key as string | number, id }
}
