import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { publishDueDrafts, startPublishing } from '../../../src/modules/news/drafts/publish-draft.ts'
import { failingTransactions } from '../../support/failing-transactions.ts'
import { loseAnswer, withKey } from '../../support/idempotency.ts'
import { CONTENT, insertProductRow, makeArticle } from '../../support/news.ts'
import { eventually, makeShop, type Partner, separateService } from '../../support/service.ts'

// The tests run the rounds themselves.
const running = await separateService({}, { timings: { publishDraftsEveryMs: 86_400_000 } })
const { deps } = running
const NEWS = '/api/external/news'
const DRAFTS = '/api/external/v1/news-drafts'
const LATER = '2126-01-15T02:30:00.000Z'
const PAST = '2026-01-15T02:30:00.000Z'
const WHOLE = { title: 'Khai xuân', content: CONTENT }

async function makeDraft(shop: Partner, fields: object) {
  const made = await shop.post(DRAFTS, fields)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body.data
}

const articlesOf = async (shop: Partner) => (await shop.get(NEWS)).body.data.news
const draftsOf = async (shop: Partner) => (await shop.get(DRAFTS)).body.data
/** As if the pause after a failure were over. */
const becomeDue = ({ shopId }: Partner) =>
  sql`update news_drafts set retry_at = now() where shop_id = ${shopId} and retry_at is not null`.execute(
    deps.db,
  )
/** The shop’s events that an article was created. */
async function createdEvents(shop: Partner): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select data ->> 'newsId' as id
    from shop_events
    where shop_id = ${shop.shopId} and type = 'news.updated' and data ->> 'change' = 'created'`.execute(
    deps.db,
  )
  return rows.map(({ id }) => id)
}

describe('G-50 drafts of news', () => {
  it('201 in any state; it is read, overwritten whole and deleted', async () => {
    const shop = await makeShop(running)
    const empty = await makeDraft(shop, {})
    expect(empty).toMatchObject({
      __v: 0,
      title: '',
      content: '',
      publishAt: null,
      problem: null,
      problemDetails: [],
      cta: [],
    })
    const fields = { ...WHOLE, cta: [{ name: '', url: 'https://' }], images: ['x'], slug: 'a b' }
    const changed = await shop.put(`${DRAFTS}/${empty._id}`, fields)
    expect(changed.body.data).toMatchObject({ ...fields, __v: 1 })
    expect((await shop.get(`${DRAFTS}/${empty._id}`)).body).toEqual(changed.body)
    expect((await shop.put(`${DRAFTS}/${empty._id}`, {})).body.data).toMatchObject({ title: '', images: [] })
    expect((await shop.call('DELETE', `${DRAFTS}/${empty._id}`)).body).toEqual({ success: true })
    expect((await shop.get(`${DRAFTS}/${empty._id}`)).status).toBe(404)
    expect(await draftsOf(shop)).toEqual([])
  })

  it('no read of news, no feed and no export of news shows a draft', async () => {
    const shop = await makeShop(running)
    const article = await makeArticle(shop)
    const feed = '/api/external/changes?types=news'
    const { nextCursor } = (await shop.get(feed)).body.data.meta
    const draft = await makeDraft(shop, { ...WHOLE, publishAt: LATER })
    for (const query of ['', '?search=khai', '?status=active', `?ids=${draft._id}`, '?cursor=*'])
      expect(JSON.stringify((await shop.get(`${NEWS}${query}`)).body)).not.toContain(draft._id)
    expect((await shop.get(NEWS)).body.data.meta.total).toBe(1)
    expect((await shop.get(`${NEWS}/${draft._id}`)).status).toBe(404)
    expect((await shop.put(`${NEWS}/${draft._id}`, { title: 'x' })).status).toBe(404)
    const changes = await shop.get(`${feed}&after=${nextCursor}`)
    expect([changes.status, changes.body.data.changes]).toEqual([200, []])
    const made = (await shop.post('/api/external/exports', { type: 'news' })).body.data
    const file = await shop.get(`/api/external/exports/${made._id}/file`)
    expect(file.status).toBe(200)
    const text = JSON.stringify(file.body)
    expect([text.includes(article._id), text.includes(draft._id)]).toEqual([true, false])
    expect(await createdEvents(shop)).toEqual([article._id])
  })

  it('400 for a time that is not a real one, or that the database does not accept; an offset without minutes is one', async () => {
    const shop = await makeShop(running)
    for (const publishAt of [
      '2026-02-30',
      '0000-01-01',
      '0001-01-01T00:00+07:00',
      '9999-12-31T23:59:59-07:00',
      '2026',
    ]) {
      const answer = await shop.post(DRAFTS, { ...WHOLE, publishAt })
      expect([publishAt, answer.status, answer.body.validation?.body.keys]).toEqual([
        publishAt,
        400,
        ['publishAt'],
      ])
    }
    const draft = await makeDraft(shop, { ...WHOLE, publishAt: '2099-11-27T10:00:00+07' })
    expect(draft.publishAt).toBe('2099-11-27T03:00:00.000Z')
  })

  it('400 naming the field for a time on what could not be created', async () => {
    const shop = await makeShop(running)
    const cta = [{ name: 'a', url: 'https://evil.example/s/1' }]
    for (const [fields, key] of [
      [{ title: 'x' }, 'content'],
      [{ content: 'x' }, 'title'],
      [{ ...WHOLE, cta }, 'cta.0.url'],
      [{ ...WHOLE, images: ['x y'] }, 'images.0'],
    ] as const) {
      const answer = await shop.post(DRAFTS, { ...fields, publishAt: LATER })
      expect([answer.status, answer.body.validation.body.keys]).toEqual([400, [key]])
      const kept = await makeDraft(shop, fields)
      const late = await shop.put(`${DRAFTS}/${kept._id}`, { ...fields, publishAt: LATER })
      expect([late.status, late.body.validation.body.keys]).toEqual([400, [key]])
    }
  })

  it('409 TOO_MANY_NEWS_DRAFTS for the 51st, also of several at once', async () => {
    const shop = await makeShop(running)
    const answers = await Promise.all(Array.from({ length: 52 }, () => shop.post(DRAFTS, {})))
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      Array(2).fill([409, 'TOO_MANY_NEWS_DRAFTS']),
    )
  })

  it('404 for another shop’s draft and for an unknown one', async () => {
    const [shop, other] = [await makeShop(running), await makeShop(running)]
    const { _id } = await makeDraft(shop, WHOLE)
    const path = `${DRAFTS}/${_id}`
    const answers = await Promise.all([
      other.get(path),
      other.put(path, {}),
      other.call('DELETE', path),
      other.post(`${path}/publish`),
    ])
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(await draftsOf(shop)).toHaveLength(1)
    expect(await articlesOf(other)).toEqual([])
  })

  it('412 for a version that the caller does not know; the draft stays', async () => {
    const shop = await makeShop(running)
    const { _id } = await makeDraft(shop, { title: 'Một' })
    const put = (title: string) => shop.call('PUT', `${DRAFTS}/${_id}`, { title }, { 'if-match': '"0"' })
    expect((await put('Hai')).status).toBe(200)
    expect((await put('Ba')).status).toBe(412)
    expect((await draftsOf(shop))[0].title).toBe('Hai')
  })
})

describe('G-50 publish a draft', () => {
  it('200: the article has its id, fields and products, and the draft is gone', async () => {
    const shop = await makeShop(running)
    await makeArticle(shop, { title: 'Khai xuân' })
    const product = await insertProductRow(running, shop.shopId)
    const fields = { ...WHOLE, status: 'inactive', metaDescription: 'Tết' }
    const { _id } = await makeDraft(shop, { ...fields, itemIds: [product], publishAt: LATER })
    const answer = await shop.post(`${DRAFTS}/${_id}/publish`)
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({ ...fields, _id, slug: 'khai-xuan-2', itemIds: [product] })
    const { items: _, ...read } = (await shop.get(`${NEWS}/${_id}`)).body.data
    expect(read).toEqual(answer.body.data)
    expect(await draftsOf(shop)).toEqual([])
    expect((await createdEvents(shop)).filter((id) => id === _id)).toHaveLength(1)
    expect((await shop.post(`${DRAFTS}/${_id}/publish`)).status).toBe(404)
  })

  it('G-10 404 and no second draft when its creation is repeated after its response was lost and it was published', async () => {
    const shop = await makeShop(running)
    const create = () => shop.post(DRAFTS, WHOLE, withKey('k'))
    const { _id: id } = (await create()).body.data
    await loseAnswer(deps.db, shop.shopId, 'k')
    expect((await create()).body.data._id).toBe(id)
    expect((await shop.post(`${DRAFTS}/${id}/publish`)).status).toBe(200)
    await loseAnswer(deps.db, shop.shopId, 'k')
    expect((await create()).status).toBe(404)
    expect(await draftsOf(shop)).toEqual([])
  })

  it('400 naming the field that is not ready; the draft stays and no article is created', async () => {
    const shop = await makeShop(running)
    const { _id } = await makeDraft(shop, { title: 'Một' })
    const answer = await shop.post(`${DRAFTS}/${_id}/publish`)
    expect([answer.status, answer.body.validation.body.keys]).toEqual([400, ['content']])
    expect(await draftsOf(shop)).toHaveLength(1)
    expect(await articlesOf(shop)).toEqual([])
  })

  it('of several at once one publishes, the others find no draft', async () => {
    const shop = await makeShop(running)
    const { _id } = await makeDraft(shop, WHOLE)
    const answers = await Promise.all(Array.from({ length: 5 }, () => shop.post(`${DRAFTS}/${_id}/publish`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404])
    expect(await createdEvents(shop)).toEqual([_id])
  })
})

describe('G-50 a draft’s time', () => {
  it('two loops publish each due draft once, and none before its time', async () => {
    const shop = await makeShop(running)
    const due: string[] = []
    // More than one round handles, all with the same slug.
    for (let n = 0; n < 25; n++) due.push((await makeDraft(shop, { ...WHOLE, publishAt: PAST }))._id)
    const later = await makeDraft(shop, { ...WHOLE, publishAt: LATER })
    const quick = { ...deps, timings: { ...deps.timings, publishDraftsEveryMs: 50 } }
    const stops = [startPublishing(quick), startPublishing(quick)]
    await eventually(async () => (await draftsOf(shop)).length === 1, 20_000)
    await Promise.all(stops.map((stop) => stop()))
    expect((await draftsOf(shop)).map(({ _id }: { _id: string }) => _id)).toEqual([later._id])
    expect((await createdEvents(shop)).sort()).toEqual(due.sort())
    expect((await shop.get(NEWS)).body.data.meta.total).toBe(25)
  })

  it('those that fail unexpectedly do not delay those behind them, and are tried again later', async () => {
    const shop = await makeShop(running)
    const failing = 'Không ngờ tới'
    for (let n = 0; n < 22; n++) await makeDraft(shop, { ...WHOLE, title: failing, publishAt: PAST })
    const fine = await makeDraft(shop, { ...WHOLE, publishAt: '2026-02-15T02:30:00.000Z' })
    await sql
      .raw(
        `create function unforeseen() returns trigger language plpgsql as $$ begin raise exception 'unforeseen'; end $$;`,
      )
      .execute(deps.db)
    await sql
      .raw(
        `create trigger unforeseen before insert on news for each row when (new.title = '${failing}') execute function unforeseen()`,
      )
      .execute(deps.db)
    try {
      expect(await publishDueDrafts(deps)).toBe(20)
      expect(await publishDueDrafts(deps)).toBe(3)
      expect(await articlesOf(shop)).toMatchObject([{ _id: fine._id }])
      expect(await publishDueDrafts(deps)).toBe(0)
    } finally {
      await sql.raw('drop function unforeseen cascade').execute(deps.db)
    }
    await becomeDue(shop)
    await publishDueDrafts(deps)
    await publishDueDrafts(deps)
    expect(await draftsOf(shop)).toEqual([])
    expect((await shop.get(NEWS)).body.data.meta.total).toBe(23)
  })

  it('a transaction that breaks off leaves the draft due and no article; a later round publishes it', async () => {
    const shop = await makeShop(running)
    const { _id } = await makeDraft(shop, { ...WHOLE, publishAt: PAST })
    const broken = failingTransactions(deps.db, () => ({ within: new Error('killed') }))
    await publishDueDrafts({ ...deps, db: broken })
    expect(await draftsOf(shop)).toMatchObject([{ _id, problem: null }])
    expect(await articlesOf(shop)).toEqual([])
    expect(await createdEvents(shop)).toEqual([])
    await becomeDue(shop)
    await publishDueDrafts(deps)
    expect(await draftsOf(shop)).toEqual([])
    expect(await articlesOf(shop)).toMatchObject([{ _id }])
  })

  it('one that can no longer be published keeps the reason and is not tried again until it is saved', async () => {
    const shop = await makeShop(running)
    const cta = [{ name: 'Xem', url: 'https://chatapp.example/s/1/a' }]
    const { _id } = await makeDraft(shop, { ...WHOLE, cta, publishAt: PAST })
    const fine = await makeDraft(shop, { ...WHOLE, publishAt: PAST })
    const moved = { ...deps, config: { ...deps.config, platformLinkHost: 'moved.example' } }
    await publishDueDrafts(moved)
    const [kept] = await draftsOf(shop)
    expect(kept).toMatchObject({ _id, __v: 0, problem: expect.stringContaining('cta[0].url') })
    // The code and its values, for a sentence in any language.
    expect(kept.problemDetails).toEqual([
      {
        key: 'cta.0.url',
        message: kept.problem,
        rule: 'news.link',
        values: { label: 'cta[0].url', start: 'https://moved.example/s/' },
      },
    ])
    expect(await articlesOf(shop)).toMatchObject([{ _id: fine._id }])
    await publishDueDrafts(deps)
    expect(await draftsOf(shop)).toEqual([kept])
    const saved = (await shop.put(`${DRAFTS}/${_id}`, { ...WHOLE, publishAt: PAST })).body.data
    expect([saved.problem, saved.problemDetails]).toEqual([null, []])
    await publishDueDrafts(deps)
    expect(await draftsOf(shop)).toEqual([])
  })

  it('G-69 a suspended shop’s draft waits until the shop is resumed', async () => {
    const shop = await makeShop(running)
    await makeDraft(shop, { ...WHOLE, publishAt: PAST })
    const suspend = (at: Date | null) =>
      sql`update shops set suspended_at = ${at} where id = ${shop.shopId}`.execute(deps.db)
    await suspend(new Date())
    await publishDueDrafts(deps)
    expect(await createdEvents(shop)).toEqual([])
    await suspend(null)
    await publishDueDrafts(deps)
    expect(await createdEvents(shop)).toHaveLength(1)
  })
})
