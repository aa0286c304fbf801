import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { SubmissionOpen, submitTemplate } from '../../../src/modules/templates/review/submit-template.ts'
import { eventually, makeShop, type Partner, type Service, separateService } from '../../support/service.ts'
import {
  control,
  createTemplate,
  makeShopWithOa,
  publish,
  TEMPLATES,
  templateBody,
  whenStatus,
} from '../../support/template-shop.ts'

const running = await separateService({ platformImages: 'upload', outboundAllowPrivate: true })

const png = (text: string) => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(text)])
const jpeg = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from('a photograph')])

/** The files of the image server. A path without an entry returns 404. */
const pictures = new Map<string, { status?: number; body?: Buffer; location?: string; type?: string }>()
const asked: string[] = []
const server = createServer((request, reply) => {
  asked.push(request.url!)
  const picture = pictures.get(request.url!)
  if (picture === undefined) return void reply.writeHead(404).end()
  const { status = 200, body, location, type = 'image/png' } = picture
  reply.writeHead(status, { 'content-type': type, ...(location === undefined ? {} : { location }) }).end(body)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => {
  server.close()
  server.closeAllConnections()
})
const images = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

beforeEach(() => {
  pictures.clear()
  asked.length = 0
  pictures.set('/light.png', { body: png('light') })
  pictures.set('/dark.png', { body: png('dark') })
})

const logos = { logoLight: `${images}/light.png`, logoDark: `${images}/dark.png` }

async function published(partner: Partner & { oaId: string }, overrides: Record<string, unknown> = {}) {
  const draft = await createTemplate(partner, templateBody(partner.oaId, { ...logos, ...overrides }))
  const answer = await publish(partner, draft._id)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return draft._id as string
}

async function mediaOf(shopId: string) {
  const { rows } = await sql<{ address: string; oa_id: string; media_id: string; sha256: string }>`
    select address, oa_id, media_id, sha256
    from template_media
    where shop_id = ${shopId}
    order by address`.execute(running.deps.db)
  return rows
}

/** The header of the layout that is stored on the platform. */
async function headerOnPlatform(platformTemplateId: string) {
  const { templates } = await control(running, '/templates')
  const found = templates.find((one: { template_id: string }) => one.template_id === platformTemplateId)
  return found.layout.header[0]
}

async function bytesOnPlatform(mediaId: string, of: Service = running): Promise<Buffer> {
  const answer = await fetch(`${of.simulatorUrl}/media/${mediaId}`)
  return Buffer.from(await answer.arrayBuffer())
}

describe('G-15 images are uploaded with the submission', () => {
  it('the platform gets both logos, and their media ids are in the layout', async () => {
    const partner = await makeShopWithOa(running)
    const approved = await whenStatus(partner, await published(partner), 'ENABLE')
    const [dark, light] = await mediaOf(partner.shopId)
    expect(dark).toMatchObject({ address: logos.logoDark, oa_id: partner.oaId })
    expect(light).toMatchObject({ address: logos.logoLight })
    expect(await headerOnPlatform(approved.templateId)).toEqual({
      kind: 'LOGO',
      light: light?.media_id,
      dark: dark?.media_id,
    })
    expect(await bytesOnPlatform(light!.media_id)).toEqual(png('light'))
    expect(approved).toMatchObject(logos)
  })

  it('pictures go up as PNG or JPEG by their bytes, through a redirect, the same one once', async () => {
    pictures.set('/photo', { body: jpeg, type: 'text/plain' })
    pictures.set('/moved', { status: 302, location: '/photo' })
    pictures.set('/copy.png', { body: png('light') })
    const partner = await makeShopWithOa(running)
    const addresses = ['/photo', '/moved', '/copy.png', '/light.png'].map((path) => images + path)
    const id = await published(partner, { imageType: 'image', images: addresses })
    const approved = await whenStatus(partner, id, 'ENABLE')
    const media = await mediaOf(partner.shopId)
    expect(media).toHaveLength(2)
    const { mediaIds: ids } = await headerOnPlatform(approved.templateId)
    expect(ids).toEqual([ids[0], ids[0], ids[2], ids[2]])
    expect(await bytesOnPlatform(ids[0])).toEqual(jpeg)
    expect(asked).not.toContain('/dark.png')
  })

  it('a second template with the same images reuses them; changed content under the address is uploaded again', async () => {
    const partner = await makeShopWithOa(running)
    await whenStatus(partner, await published(partner), 'ENABLE')
    const before = await mediaOf(partner.shopId)
    await whenStatus(
      partner,
      await published(partner, { name: 'Mẫu thứ hai', title: 'Khác <order_code>' }),
      'ENABLE',
    )
    expect(await mediaOf(partner.shopId)).toEqual(before)
    pictures.set('/dark.png', { body: png('another') })
    await whenStatus(
      partner,
      await published(partner, { name: 'Mẫu thứ ba', title: 'Mới <order_code>' }),
      'ENABLE',
    )
    expect(await mediaOf(partner.shopId)).toHaveLength(3)
  })

  it('another shop’s images stay its own', async () => {
    const [one, other] = [await makeShopWithOa(running), await makeShopWithOa(running)]
    for (const partner of [one, other]) await whenStatus(partner, await published(partner), 'ENABLE')
    const ids = [...(await mediaOf(one.shopId)), ...(await mediaOf(other.shopId))].map((row) => row.media_id)
    expect(new Set(ids).size).toBe(4)
  })

  it.each([
    ['missing', undefined, 'its server responded with HTTP 404'],
    ['no image', { body: Buffer.from('<svg/>') }, 'it is not a PNG or JPEG image'],
    ['larger than 500 KB', { body: png('x'.repeat(500 * 1024)) }, 'it is larger than 500 KB'],
  ])(
    'REJECTED at once with the address when an image is %s; mended, it goes out',
    async (_what, picture, why) => {
      const partner = await makeShopWithOa(running)
      if (picture === undefined) pictures.delete('/dark.png')
      else pictures.set('/dark.png', picture)
      const id = await published(partner)
      const rejected = await whenStatus(partner, id, 'REJECTED')
      expect(rejected.rejectReason).toBe(
        `The image ${logos.logoDark} cannot be used: ${why}. Fix it and publish the template again.`,
      )
      const { data } = (await partner.get(`${TEMPLATES}/${id}/timeline`)).body
      expect(data.at(-1)).toMatchObject({
        status: 'REJECTED',
        source: 'submission',
        reason: rejected.rejectReason,
      })
      pictures.set('/dark.png', { body: png('dark') })
      await publish(partner, id)
      await whenStatus(partner, id, 'ENABLE')
    },
  )

  it('an image server that is away is asked again; after the last attempt the template is REJECTED', async () => {
    pictures.set('/dark.png', { status: 503 })
    const partner = await makeShopWithOa(running)
    const id = await published(partner)
    const { rows } = await sql<{ id: string }>`
      select id from template_revisions where shop_id = ${partner.shopId}`.execute(running.deps.db)
    await eventually(async () => asked.includes('/dark.png'))
    const job = { shopId: partner.shopId, templateId: id, revisionId: rows[0]!.id }
    await expect(submitTemplate(running.deps, job, { isLast: false })).rejects.toThrow(SubmissionOpen)
    expect((await partner.get(`${TEMPLATES}/${id}`)).body.data.status).toBe('PENDING_REVIEW')
    await submitTemplate(running.deps, job, { isLast: true })
    const { data } = (await partner.get(`${TEMPLATES}/${id}`)).body
    expect(data).toMatchObject({
      status: 'REJECTED',
      rejectReason: expect.stringContaining(`${logos.logoDark} `),
    })
    expect(data.rejectReason).toContain('HTTP 503')
    expect((await control(running, '/templates')).templates).not.toContainEqual(
      expect.objectContaining({ oaId: partner.oaId }),
    )
  })

  it('an upload that fails is made again', async () => {
    const partner = await makeShopWithOa(running)
    await control(running, '/faults', { faults: [{ endpoint: '/upload/image', kind: '5xx', times: 1 }] })
    const id = await published(partner)
    await whenStatus(partner, id, 'ENABLE', 20_000)
    expect(await mediaOf(partner.shopId)).toHaveLength(2)
  })

  it('REJECTED in the shop’s language when the address leads into a private network', async () => {
    const guarded = await separateService({ platformImages: 'upload' })
    const partner = await makeShop(guarded, { language: 'vi' })
    const oaId = `oa-${partner.shopId}`
    await guarded.app.inject({
      method: 'POST',
      url: `/api/manage/v1/shops/${partner.shopId}/official-accounts`,
      headers: { authorization: `Bearer ${guarded.deps.operatorTokens[0]}` },
      payload: { oaId, name: 'Hoa Mai' },
    })
    const id = await published({ ...partner, oaId }, { logoDark: 'http://2130706433/dark.png' })
    const rejected = await whenStatus(partner, id, 'REJECTED')
    expect(rejected.rejectReason).toContain('dẫn vào mạng nội bộ')
    expect(asked).toEqual([])
  })

  it('with PLATFORM_IMAGES=link nothing is fetched and the addresses are in the layout', async () => {
    const linking = await separateService({ platformImages: 'link' })
    const partner = await makeShopWithOa(linking)
    await whenStatus(partner, await published(partner), 'ENABLE')
    const { templates } = await control(linking, '/templates')
    expect(templates[0].layout.header[0].light).toBe(logos.logoLight)
    expect(asked).toEqual([])
  })
})
