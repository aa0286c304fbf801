import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { NotFound, Refused } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { cursorMeta, isTextKey, readPlace } from '../../http/list-place.ts'
import { readNear } from '../../http/reads/replica-reads.ts'
import { editOf, editorOf, showVersion } from '../../http/record-version.ts'
import { objectId, pathId } from '../../http/validation/object-id.ts'
import { fold } from '../../lib/text/fold.ts'
import { searchWords } from '../../lib/text/search-pattern.ts'
import { changedOrGone } from '../concurrent-edits/assert-version.ts'
import { idempotentCreate } from '../idempotency/hook.ts'
import { attachProducts, detachProducts, MOST_NEWS_ITEMS } from './items-sql.ts'
import { assertLinks, newArticle } from './new-article.ts'
import { presentNews, presentNewsWithItems } from './present.ts'
import { shortContentOf, slugBase } from './rules.ts'
import {
  createNewsBody,
  listNewsQuery,
  newsItemsBody,
  newsListMeta,
  newsRecord,
  newsWithItemsRecord,
  updateNewsBody,
} from './schema.ts'
import {
  deleteNews,
  findNews,
  findNewsSlug,
  insertNews,
  listNews,
  type NewsRow,
  retryTakenSlug,
  updateNews,
} from './sql.ts'

const tags = ['News']
const done = Type.Object({ success: Type.Boolean() })

/** News articles: E15, E16 and the other operations on them (G-50). */
export function newsRoutes(app: App, deps: Deps): void {
  const { db, clock, ids } = deps
  const linkHost = deps.config.platformLinkHost

  app.get(
    '/api/external/news',
    {
      config: { reads: ['catalogue', 'news'] },
      schema: {
        tags,
        operationId: 'listNews',
        summary: 'List news articles with their attached products, newest first unless sorted otherwise',
        querystring: listNewsQuery,
        response: {
          200: Type.Object({
            success: Type.Boolean(),
            data: Type.Object({ news: Type.Array(newsWithItemsRecord), meta: newsListMeta }),
          }),
        },
      },
    },
    async (request) => {
      const { page, limit, status, search, sortBy, sortType } = request.query
      const place = readPlace(
        request.query,
        request.shop.id,
        `news.${sortBy}.${sortType}`,
        sortBy === 'title' ? isTextKey : undefined,
      )
      const sort = { by: sortBy, direction: sortType }
      const filter = { status, words: searchWords(search ?? ''), ids: place.ids }
      const { rows, found, total, last } = await readNear(request, db, (near) =>
        listNews(near, request.shop.id, filter, sort, place),
      )
      const meta = {
        page,
        limit,
        total,
        totalPages: Math.ceil(total / limit),
        ...cursorMeta(place, found, last, rows.length),
      }
      return { success: true, data: { news: rows.map(presentNewsWithItems), meta } }
    },
  )

  app.post(
    '/api/external/news',
    {
      schema: {
        tags,
        operationId: 'createNews',
        summary: 'Create a news article',
        body: createNewsBody,
        response: { 201: Type.Object({ success: Type.Boolean(), data: newsRecord }) },
      },
    },
    async (request, reply) => {
      const article = newArticle(request.body, { linkHost, now: clock.now() })
      const row = await idempotentCreate<NewsRow>(request, ids, {
        find: (id) => findNews(db, request.shop.id, id),
        create: (id) => retryTakenSlug(() => insertNews(db, request.shop.id, { ...article, id })),
      })
      return reply.code(201).send({ success: true, data: presentNews(row) })
    },
  )

  app.get(
    '/api/external/news/:id',
    {
      config: { reads: ['catalogue', 'news'] },
      schema: {
        tags,
        operationId: 'getNews',
        summary: 'Read a news article with its attached products',
        response: { 200: Type.Object({ success: Type.Boolean(), data: newsWithItemsRecord }) },
      },
    },
    async (request, reply) => {
      const id = pathId(request.params)
      const row = await readNear(request, db, (near) => findNews(near, request.shop.id, id))
      if (row === undefined) throw new NotFound('news')
      showVersion(reply, row.version)
      return { success: true, data: presentNewsWithItems(row) }
    },
  )

  // E16: only the fields sent change.
  app.put(
    '/api/external/news/:id',
    {
      schema: {
        tags,
        operationId: 'updateNews',
        summary: 'Update a news article: fields that are not sent keep their value',
        body: updateNewsBody,
        errors: ['RECORD_CHANGED'],
        response: { 200: Type.Object({ success: Type.Boolean(), data: newsRecord, meta: Type.Object({}) }) },
      },
    },
    async (request, reply) => {
      const id = pathId(request.params)
      const { title, content, status, slug, metaDescription, images, cta } = request.body
      assertLinks(cta, linkHost)
      const current = await findNewsSlug(db, request.shop.id, id)
      if (current === undefined) throw new NotFound('news')
      const change = {
        title,
        content,
        shortContent: content === undefined ? undefined : shortContentOf(content),
        search: title === undefined ? undefined : fold(title),
        slugBase: slugBase(slug, { title: title ?? current.title, slug: current.slug }),
        metaDescription,
        status,
        images,
        cta,
        now: clock.now(),
      }
      const row = await retryTakenSlug(() => updateNews(db, request.shop.id, id, change, editOf(request)))
      if (row === undefined) throw await changedOrGone(db, request.shop.id, 'news', id, 'news')
      showVersion(reply, row.version)
      return { success: true, data: presentNews(row), meta: {} }
    },
  )

  app.delete(
    '/api/external/news/:id',
    {
      schema: { tags, operationId: 'deleteNews', summary: 'Delete a news article', response: { 200: done } },
    },
    async (request) => {
      const isDeleted = await deleteNews(db, request.shop.id, pathId(request.params), clock.now())
      if (!isDeleted) throw new NotFound('news')
      return { success: true }
    },
  )

  // E15: only the article must exist.
  app.post(
    '/api/external/news/:id/items',
    {
      schema: {
        tags,
        operationId: 'attachProductsToNews',
        summary: 'Attach related products to a news article',
        body: newsItemsBody,
        errors: ['TOO_MANY_NEWS_ITEMS'],
        response: { 200: done },
      },
    },
    async (request) => {
      const id = pathId(request.params)
      const productIds = request.body.newsIds.map((text) => objectId(text, 'newsIds'))
      const hasRoom = await attachProducts(db, request.shop.id, id, productIds, {
        by: editorOf(request),
        now: clock.now(),
      })
      if (hasRoom === undefined) throw new NotFound('news')
      if (!hasRoom) throw new Refused('TOO_MANY_NEWS_ITEMS', { most: MOST_NEWS_ITEMS })
      return { success: true }
    },
  )

  app.delete(
    '/api/external/news/:id/items',
    {
      schema: {
        tags,
        operationId: 'detachProductsFromNews',
        summary: 'Detach products from a news article',
        body: newsItemsBody,
        response: { 200: done },
      },
    },
    async (request) => {
      const id = pathId(request.params)
      const productIds = request.body.newsIds.map((text) => objectId(text, 'newsIds'))
      const isThere = await detachProducts(db, request.shop.id, id, productIds, {
        by: editorOf(request),
        now: clock.now(),
      })
      if (!isThere) throw new NotFound('news')
      return { success: true }
    },
  )
}
