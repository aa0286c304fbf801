import { describe, expect, it } from 'vitest'
import { service } from '../../support/service.ts'

const running = await service()

describe('G-63 versioning', () => {
  it('the operations of the contract have their paths, each under its number', () => {
    const paths = running.app.swagger().paths as Record<string, Record<string, { 'x-contract'?: string }>>
    const numbers = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap((operation) => operation['x-contract'] ?? []),
    )
    expect(numbers.toSorted()).toEqual(Array.from({ length: 16 }, (_, n) => `E${n + 1}`).toSorted())
  })

  it('nothing of this version is deprecated', async () => {
    const paths = running.app.swagger().paths as Record<string, Record<string, { deprecated?: boolean }>>
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
    expect(operations.filter(({ deprecated }) => deprecated)).toEqual([])
    expect((await running.app.inject('/health/live')).headers).not.toHaveProperty('deprecation')
  })
})
