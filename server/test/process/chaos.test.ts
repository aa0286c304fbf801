import { randomInt } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { BRIEF } from '../../../tools/chaos/plan.ts'
import { runChaos } from '../../../tools/chaos/run.ts'
import { makeDatabase, onPostgres } from '../support/database.ts'
import { temporaryFolder } from '../support/process.ts'

// `npm run chaos -- --seed` covers more. CHAOS_SEED repeats this test with a failing seed.
const seed = Number(process.env.CHAOS_SEED ?? randomInt(2 ** 31))

describe.runIf(onPostgres)(
  'G-10 G-24 G-26 G-27 sends and batches while processes, connections and the platform fail',
  () => {
    const folder = temporaryFolder()
    afterAll(folder.remove)

    it('nothing is lost, doubled or charged otherwise than the platform bills', async () => {
      const database = await makeDatabase()
      const told = [`CHAOS_SEED=${seed}`]
      const verdict = await runChaos({
        form: BRIEF,
        seed,
        folder: folder.path,
        databaseUrl: database.url,
        say: (line) => told.push(line),
      })
      expect(verdict.problems, told.join('\n')).toEqual([])
      const seen = Object.values(verdict.states).reduce((sum, n) => sum + n, 0)
      expect(seen).toBeGreaterThanOrEqual(BRIEF.sends)
      expect(verdict.states.RECEIVED).toBeGreaterThan(BRIEF.sends / 2)
      await database.remove()
    }, 300_000)
  },
)
