/**
 * Lists what a cluster that distributes the tables by `shop_id` would refuse, or send to every node:
 * `npm run check:distributed`. The schema is read from a migrated embedded database, the statements from the sources.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openEmbedded } from '../../server/src/db/embedded/embedded.ts'
import { migrate } from '../../server/src/db/migrations/migrate.ts'
import { readTables, schemaFindings } from './schema-findings.ts'
import { bindsNoShop, readStatements } from './statement-findings.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'shopbell-distributed-'))
try {
  const database = await openEmbedded(join(folder, 'pg'))
  await migrate(database)
  const { ofShops, ofNone } = await readTables(database.db)
  const findings = Map.groupBy(await schemaFindings(database.db), ({ kind }) => kind)
  await database.close()
  print(`table of no shop, beside ${ofShops.length} of shops`, ofNone)
  for (const [kind, found] of findings)
    print(
      kind,
      found.map(({ what }) => what),
    )
  const statements = readStatements(root)
  const shopTables = new Set(ofShops)
  const without = statements.filter((one) => bindsNoShop(one, shopTables))
  print(
    `statement over all shops, of ${statements.length}`,
    without.map(({ file, line }) => `${file}:${line}`),
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function print(kind: string, found: string[]): void {
  process.stdout.write([`${kind}: ${found.length}`, ...found.map((one) => `  ${one}`), ''].join('\n'))
}
