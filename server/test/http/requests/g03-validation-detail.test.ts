import { describe, expect, it } from 'vitest'
import { BATCHES } from '../../support/batches.ts'
import { PRODUCTS } from '../../support/products.ts'
import { makeShop, OPERATOR_TOKEN, send, service, unusedId } from '../../support/service.ts'
import {
  CREATE,
  createTemplate,
  makeShopWithOa,
  TEMPLATES,
  templateBody,
} from '../../support/template-shop.ts'
import { insertEnabledTemplate, VALUES } from '../../support/templates.ts'

const running = await service()
const shop = await makeShop(running)
const asked = { 'x-validation-detail': '1' }

type Case = { from?: 'body' | 'query' | 'headers'; key: string; rule: string; values?: object; text: string }

/** The one detail of a refused request. Expects that the responses with and without details agree in everything else. */
async function expectDetail(
  request: (headers: Record<string, string>) => ReturnType<typeof shop.get>,
  { from = 'body', key, rule, values = {}, text }: Case,
) {
  const plain = await request({})
  expect(plain.status).toBe(400)
  expect(plain.body.validation).toEqual({ [from]: { source: from, keys: [key], message: text } })
  const label = text.slice(1, text.indexOf('"', 1))
  const detailed = await request(asked)
  const details = [{ key, message: text, rule, values: { label, ...values } }]
  const { validation, ...rest } = plain.body
  expect(detailed.body).toEqual({ ...rest, validation: { [from]: { ...validation[from], details } } })
}

describe('G-03 rule and values of a broken rule, to x-validation-detail: 1 only', () => {
  it.each<[object, Omit<Case, 'from'>]>([
    [{ price: 1 }, { key: 'name', rule: 'any.required', text: '"name" is required' }],
    [
      { name: ' ', price: 1 },
      { key: 'name', rule: 'string.empty', text: '"name" is not allowed to be empty' },
    ],
    [
      { name: 'x', price: -1 },
      {
        key: 'price',
        rule: 'number.min',
        values: { limit: 0 },
        text: '"price" must be greater than or equal to 0',
      },
    ],
    [
      { name: 'x', price: 1, status: 'gone' },
      {
        key: 'status',
        rule: 'any.only',
        values: { valids: ['active', 'inactive'] },
        text: '"status" must be one of [active, inactive]',
      },
    ],
    [
      { name: 'x', price: 1, skus: [{ name: 'S', price: 1, 'a<b': 1 }] },
      {
        key: 'skus.0.a&lt;b',
        rule: 'object.unknown',
        values: { label: 'skus[0].a<b' },
        text: '"skus[0].a<b" is not allowed',
      },
    ],
    [
      { name: 'x\u0000', price: 1 },
      {
        key: 'name',
        rule: 'string.unstorable',
        text: '"name" must not contain NUL characters or unpaired surrogates',
      },
    ],
    [
      { name: 'x', price: 1, categoryId: unusedId() },
      {
        key: 'categoryId',
        rule: 'shop.unknown',
        values: { kind: 'category' },
        text: '"categoryId" is not a category of this shop',
      },
    ],
    [
      {
        name: 'x',
        price: 1,
        skus: [
          { name: 'S', price: 1, sku: 'A' },
          { name: 'M', price: 1, sku: 'a' },
        ],
      },
      {
        key: 'skus.1.sku',
        rule: 'sku.codeTwice',
        text: '"skus[1].sku" duplicates another SKU’s code',
      },
    ],
  ])('400 for %j', async (body, wanted) => {
    await expectDetail((headers) => shop.post(PRODUCTS, body, headers), wanted)
  })

  it('400 for a query parameter', async () => {
    await expectDetail((headers) => shop.get(`${PRODUCTS}?limit=x`, headers), {
      from: 'query',
      key: 'limit',
      rule: 'number.base',
      text: '"limit" must be a number',
    })
  })

  it('400 for a header', async () => {
    const body = { name: 'x', price: 1 }
    await expectDetail(
      (headers) => shop.post(PRODUCTS, body, { ...headers, 'idempotency-key': 'k'.repeat(256) }),
      {
        from: 'headers',
        key: 'idempotency-key',
        rule: 'string.max',
        values: { limit: 255 },
        text: '"idempotency-key" length must be less than or equal to 255 characters long',
      },
    )
  })

  it('400 for a field of an operation without body', async () => {
    const path = `${TEMPLATES}/${unusedId()}/publish`
    await expectDetail((headers) => shop.post(path, { odd: 1 }, headers), {
      key: 'odd',
      rule: 'object.unknown',
      text: '"odd" is not allowed',
    })
  })

  it('400 in the management API', async () => {
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` }
    const path = `/api/manage/v1/shops/${shop.shopId}/wallet/entries`
    await expectDetail(
      (more) => send(running, 'POST', path, { amount: 0, note: 'Thử' }, { ...headers, ...more }),
      {
        key: 'amount',
        rule: 'amount.notZero',
        text: '"amount" must not be 0',
      },
    )
  })

  it('400 for a body that cannot be read, without a field', async () => {
    const plain = await shop.post(PRODUCTS, '{', {})
    const detailed = await shop.post(PRODUCTS, '{', asked)
    const message = 'Body is not valid JSON'
    expect(plain.body.validation.body).toEqual({ source: 'body', keys: [], message })
    expect(detailed.body.validation.body).toEqual({
      source: 'body',
      keys: [],
      message,
      details: [{ key: '', message, rule: 'body.notJson', values: {} }],
    })
  })

  it('400 for a rule of a template, and for all of a publication at once', async () => {
    const partner = await makeShopWithOa(running)
    const odd = templateBody(partner.oaId, { params: [{ key: 'a b', label: 'A', techSetting: '1' }] })
    await expectDetail((headers) => partner.post(CREATE, odd, headers), {
      key: 'params.0.key',
      rule: 'template.paramKey',
      text: '"params[0].key" must contain only letters, digits and underscores',
    })

    const draft = await createTemplate(partner, templateBody(partner.oaId, { logoLight: '', logoDark: '' }))
    const path = `${TEMPLATES}/${draft._id}/publish`
    const plain = (await partner.post(path, undefined)).body.validation.body
    const { details, ...rest } = (await partner.post(path, undefined, asked)).body.validation.body
    expect(rest).toEqual(plain)
    expect(details.map(({ key, rule }: { key: string; rule: string }) => [key, rule])).toEqual([
      ['logoLight', 'template.logoLight'],
      ['logoDark', 'template.logoDark'],
    ])
    expect(details.map(({ message }: { message: string }) => message).join('. ')).toBe(plain.message)
  })

  it('202 for a batch whose rows break rules, and the same when it is read', async () => {
    const template = await insertEnabledTemplate(running, shop.shopId)
    const messages = [{ receiverPhone: '123', params: VALUES }]
    const body = { templateId: template.id, messages }
    const made = await shop.post(BATCHES, body, asked)
    const wanted = {
      index: 0,
      message: '"messages[0].receiverPhone" must be a valid phone number',
      keys: ['messages.0.receiverPhone'],
    }
    const detail = { rule: 'string.phone', values: { label: 'messages[0].receiverPhone' } }
    expect(made.body.data.refused).toEqual([{ ...wanted, ...detail }])
    const path = `${BATCHES}/${made.body.data.id}`
    expect((await shop.get(path, asked)).body.data.refused).toEqual([{ ...wanted, ...detail }])
    expect((await shop.get(path)).body.data.refused).toEqual([wanted])
  })
})
