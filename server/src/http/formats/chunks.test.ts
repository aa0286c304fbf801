import { expect, it } from 'vitest'
import { streamOf } from './chunks.ts'

it('others get a turn of the event loop after each chunk, also if nothing waits for the database', async () => {
  async function* chunks() {
    for (let n = 0; n < 50; n++) yield `${n} `
  }
  let turns = 0
  let isOver = false
  const turn = () => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  const read: string[] = []
  for await (const chunk of await streamOf(chunks())) read.push(String(chunk))
  isOver = true
  expect(read.join('').trim().split(' ')).toHaveLength(50)
  expect(turns).toBeGreaterThanOrEqual(49)
})
