import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { NotFound } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { cursorFields, cursorMeta, readPlace } from '../../http/list-place.ts'
import { readNear } from '../../http/reads/replica-reads.ts'
import { editOf, showVersion } from '../../http/record-version.ts'
import { pathId } from '../../http/validation/object-id.ts'
import { idempotentCreate } from '../idempotency/hook.ts'
import { changeCategory, createCategory, removeCategory } from './change-categories.ts'
import { presentCategory } from './present.ts'
import { isTreeKey } from './rules.ts'
import { categoryRecord, createCategoryBody, listCategoriesQuery, updateCategoryBody } from './schema.ts'
import { findCategory, listCategories } from './sql.ts'

const tags = ['Categories']
const answer = Type.Object({ success: Type.Boolean(), message: Type.String(), data: categoryRecord })

/** The tree of categories that products belong to (G-37). */
export function categoryRoutes(app: App, deps: Deps): void {
  const { db, ids } = deps

  app.get(
    '/api/external/v1/categories',
    {
      config: { reads: ['catalogue'] },
      schema: {
        tags,
        operationId: 'listCategories',
        summary: 'List categories in the order of the tree',
        description:
          'A flat list, each parent before its children, with `parentId` and `depth`; siblings ordered by `sortOrder` and name.',
        querystring: listCategoriesQuery,
        response: {
          200: Type.Object({
            success: Type.Boolean(),
            data: Type.Object({
              categories: Type.Array(categoryRecord),
              meta: Type.Object({
                page: Type.Number(),
                limit: Type.Number(),
                total: Type.Number(),
                totalPages: Type.Number(),
                ...cursorFields,
              }),
            }),
          }),
        },
      },
    },
    async (request) => {
      const { page, limit } = request.query
      const place = readPlace(request.query, request.shop.id, 'categories.tree', isTreeKey)
      const { categories, total, last } = await readNear(request, db, (near) =>
        listCategories(near, request.shop.id, place, place.ids),
      )
      const meta = {
        page,
        limit,
        total,
        totalPages: Math.ceil(total / limit),
        ...cursorMeta(place, categories.length, last),
      }
      return { success: true, data: { categories: categories.map(presentCategory), meta } }
    },
  )

  app.get(
    '/api/external/v1/categories/:id',
    {
      config: { reads: ['catalogue'] },
      schema: {
        tags,
        operationId: 'getCategory',
        summary: 'Read a category',
        response: { 200: Type.Object({ success: Type.Boolean(), data: categoryRecord }) },
      },
    },
    async (request, reply) => {
      const id = pathId(request.params)
      const row = await readNear(request, db, (near) => findCategory(near, request.shop.id, id))
      if (row === undefined) throw new NotFound('category')
      showVersion(reply, row.version)
      return { success: true, data: presentCategory(row) }
    },
  )

  app.post(
    '/api/external/v1/categories',
    {
      schema: {
        tags,
        operationId: 'createCategory',
        summary: 'Create a category',
        description: 'At most 5 levels deep and 5,000 per shop.',
        body: createCategoryBody,
        errors: ['TOO_MANY_CATEGORIES'],
        response: { 201: answer },
      },
    },
    async (request, reply) => {
      const row = await idempotentCreate(request, ids, {
        find: (id) => findCategory(db, request.shop.id, id),
        create: (id) => createCategory(deps, request.shop.id, request.body, id),
      })
      return reply.code(201).send({ success: true, message: 'Category created', data: presentCategory(row) })
    },
  )

  app.patch(
    '/api/external/v1/categories/:id',
    {
      schema: {
        tags,
        operationId: 'updateCategory',
        summary: 'Change fields of a category',
        description:
          'Absent fields keep their value; the slug does too when the name changes. `parentId` moves the category with its subcategories; null makes it a root.',
        body: updateCategoryBody,
        errors: ['RECORD_CHANGED'],
        response: { 200: answer },
      },
    },
    async (request, reply) => {
      const id = pathId(request.params)
      const row = await changeCategory(deps, request.shop.id, id, request.body, editOf(request))
      showVersion(reply, row.version)
      return { success: true, message: 'Category updated', data: presentCategory(row) }
    },
  )

  app.delete(
    '/api/external/v1/categories/:id',
    {
      schema: {
        tags,
        operationId: 'deleteCategory',
        summary: 'Delete a category',
        description:
          'Refused with CATEGORY_HAS_CHILDREN or CATEGORY_HAS_PRODUCTS while it has subcategories or products.',
        errors: ['CATEGORY_HAS_CHILDREN', 'CATEGORY_HAS_PRODUCTS'],
        response: { 200: Type.Object({ success: Type.Boolean() }) },
      },
    },
    async (request) => {
      await removeCategory(deps, request.shop.id, pathId(request.params))
      return { success: true }
    },
  )
}
