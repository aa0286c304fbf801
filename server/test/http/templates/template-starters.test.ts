import { describe, expect, it } from 'vitest'
import { bodyOf } from '../../../../console/src/screens/templates/editor/draft.ts'
import { draftOfStarter } from '../../../../console/src/screens/templates/gallery/starter.ts'
import { STARTER_IDS } from '../../../../console/src/screens/templates/gallery/starter-text.ts'
import { service } from '../../support/service.ts'
import { createTemplate, makeShopWithOa, publish, whenStatus } from '../../support/template-shop.ts'

const running = await service()
const LINT = '/api/external/notify-template/lint'
const LOGOS = {
  logoLight: 'https://shop.example/logo-light.png',
  logoDark: 'https://shop.example/logo-dark.png',
}

describe('the console’s starters', () => {
  for (const language of ['vi', 'en'] as const) {
    it(`G-15 200 without errors and warnings for each one (${language}), which create takes and the review approves`, async () => {
      const partner = await makeShopWithOa(running)
      const approved = STARTER_IDS.map(async (id) => {
        const body = bodyOf(draftOfStarter(id, language, { oaId: partner.oaId, ...LOGOS }))
        // A value has its unit: with one in the text, a customer would read it twice.
        expect(JSON.stringify(body)).not.toMatch(/_amount>\s*(đ|VND)/)
        const { body: linted } = await partner.post(LINT, body)
        expect({ id, ...linted.data }).toEqual({ id, errors: [], warnings: [] })
        const template = await createTemplate(partner, body)
        expect((await publish(partner, template._id)).status).toBe(200)
        expect(await whenStatus(partner, template._id, 'ENABLE')).toMatchObject({ name: body.name })
      })
      await Promise.all(approved)
    })
  }

  it('G-15 without the shop’s logos, lint asks for those and nothing else', async () => {
    const partner = await makeShopWithOa(running)
    const body = bodyOf(draftOfStarter('rating', 'vi', { oaId: partner.oaId }))
    const { body: linted } = await partner.post(LINT, body)
    expect(linted.data.errors.map(({ path }: { path: string }) => path)).toEqual(['logoLight', 'logoDark'])
    expect(linted.data.warnings).toEqual([])
  })
})
