import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { announceDeprecation, checkDeprecation } from '../../src/http/deprecation.ts'
import { service } from '../support/service.ts'

const running = await service()

function withRoute(deprecation: { since: string; sunset: string; see: string }) {
  const app = Fastify()
  app.addHook('onRoute', checkDeprecation)
  app.addHook('onRequest', announceDeprecation)
  app.get('/old', { config: { deprecation } }, async () => 'still here')
  app.get('/other', async () => 'stays')
  return app
}

describe('G-63 versioning', () => {
  it('the operations of the contract stand at their paths, each under its number', () => {
    const paths = running.app.swagger().paths as Record<string, Record<string, { 'x-contract'?: string }>>
    const numbers = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap((operation) => operation['x-contract'] ?? []),
    )
    expect(numbers.toSorted()).toEqual(Array.from({ length: 16 }, (_, n) => `E${n + 1}`).toSorted())
  })

  it('what goes away says so in Deprecation, Sunset and Link until it is gone; nothing else does', async () => {
    const app = withRoute({ since: '2027-01-01', sunset: '2027-07-02', see: 'https://shop.example/docs' })
    const { headers } = await app.inject('/old')
    expect(headers).toMatchObject({
      deprecation: '@1798761600',
      sunset: 'Fri, 02 Jul 2027 00:00:00 GMT',
      link: '<https://shop.example/docs>; rel="deprecation"',
    })
    expect((await app.inject('/other')).headers).not.toHaveProperty('deprecation')
  })

  it('a sunset less than half a year ahead stops the start', () => {
    expect(() => withRoute({ since: '2027-01-01', sunset: '2027-06-30', see: '/docs' })).toThrow('GET /old')
  })

  it('nothing of this version is deprecated', async () => {
    expect((await running.app.inject('/health/live')).headers).not.toHaveProperty('deprecation')
  })
})
