import { sqlProblem } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { NotFound, Refused } from '../../errors.ts'
import type { Edit } from '../../lib/edit.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { assertVersion } from '../concurrent-edits/assert-version.ts'
import { assertPlace, MAX_CATEGORIES, nextSlugBase, parentIdOf, slugBase } from './rules.ts'
import {
  type CategoryRow,
  countContent,
  countLevels,
  deleteCategory,
  findCategory,
  insertCategory,
  listLine,
  lockTree,
  PRODUCT_CONSTRAINT,
  updateCategory,
} from './sql.ts'

/** A validated body for creating a category; for a change, every field is optional. */
export type CategoryFields = {
  name: string
  slug?: string
  description?: string
  image?: string
  parentId?: string | null
  sortOrder?: number
}

type Needs = Pick<Deps, 'db' | 'clock'>

/**
 * Creates a category below its parent, or a root (G-37).
 * @throws ValidationError as `assertPlace`; Refused TOO_MANY_CATEGORIES.
 */
export async function createCategory(
  { db, clock }: Needs,
  shopId: ObjectId,
  fields: CategoryFields,
  id: ObjectId,
): Promise<CategoryRow> {
  const parentId = parentIdOf(fields.parentId) ?? null
  return db.transaction().execute(async (trx) => {
    const count = await lockTree(trx, shopId)
    if (count >= MAX_CATEGORIES) throw new Refused('TOO_MANY_CATEGORIES', { most: MAX_CATEGORIES })
    if (parentId !== null) assertPlace({ id, levels: 1 }, await listLine(trx, shopId, parentId))
    await insertCategory(trx, shopId, {
      id,
      name: fields.name,
      slugBase: slugBase(fields.slug, fields.name),
      description: fields.description ?? '',
      image: fields.image ?? '',
      parentId,
      sortOrder: fields.sortOrder ?? 0,
      now: clock.now(),
    })
    return (await findCategory(trx, shopId, id))!
  })
}

/**
 * Changes the given fields of a category; a new `parentId` moves it with everything below it (G-37).
 * @throws NotFound; RecordChanged; ValidationError as `assertPlace`.
 */
export async function changeCategory(
  { db, clock }: Needs,
  shopId: ObjectId,
  id: ObjectId,
  fields: Partial<CategoryFields>,
  edit: Edit,
): Promise<CategoryRow> {
  const parentId = parentIdOf(fields.parentId)
  return db.transaction().execute(async (trx) => {
    await lockTree(trx, shopId)
    const current = await findCategory(trx, shopId, id)
    if (current === undefined) throw new NotFound('category')
    await assertVersion(trx, shopId, 'categories', current, edit)
    if (parentId !== undefined && parentId !== null) {
      const levels = await countLevels(trx, shopId, id)
      assertPlace({ id, levels }, await listLine(trx, shopId, parentId))
    }
    const { name, description, image, sortOrder } = fields
    const change = { name, description, image, sortOrder, parentId, now: clock.now(), by: edit.by }
    await updateCategory(trx, shopId, id, { ...change, slugBase: nextSlugBase(fields.slug, current.slug) })
    return (await findCategory(trx, shopId, id))!
  })
}

/**
 * Deletes a category that has no subcategories and no products (G-37).
 * @throws NotFound; Refused CATEGORY_HAS_CHILDREN, CATEGORY_HAS_PRODUCTS.
 */
export async function removeCategory(
  { db }: Pick<Deps, 'db'>,
  shopId: ObjectId,
  id: ObjectId,
): Promise<void> {
  await db
    .transaction()
    .execute(async (trx) => {
      await lockTree(trx, shopId)
      const content = await countContent(trx, shopId, id)
      if (content === undefined) throw new NotFound('category')
      if (content.children > 0) throw new Refused('CATEGORY_HAS_CHILDREN', { count: content.children })
      if (content.products > 0) throw new Refused('CATEGORY_HAS_PRODUCTS', { count: content.products })
      await deleteCategory(trx, shopId, id)
    })
    .catch((error: unknown) => {
      if (sqlProblem(error)?.constraint !== PRODUCT_CONSTRAINT) throw error
      throw new Refused('CATEGORY_HAS_PRODUCTS', { count: 1 })
    })
}
