import { expect, it } from 'vitest'
import type { Answer, Cli } from '../../src/process/cli/cli.ts'
import { listShopIds } from '../../src/process/cli/commands/stock.ts'
import { makeShop, manage, service } from '../support/service.ts'

const running = await service()

it('a command for all shops names each once, though shops are created while it reads the list', async () => {
  const known: string[] = []
  for (let n = 0; n < 101; n++) known.push((await makeShop(running)).shopId)
  let pages = 0
  const call: Cli['call'] = async (_, path) => {
    if (pages > 0) await makeShop(running)
    pages += 1
    return (await manage(running, 'GET', path)).body as Answer
  }

  const listed = await listShopIds({ call } as Cli)

  expect(pages).toBeGreaterThan(1)
  expect(listed.length).toBe(new Set(listed).size)
  expect(listed).toEqual(expect.arrayContaining(known))
})
