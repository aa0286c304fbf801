import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../build/bundle.ts'
import { openOldFolder } from './old-folder.ts'
import { checkOut } from './old-version.ts'
import { replaceUnderLoad } from './replace.ts'

const USAGE = `npm run check:upgrade -- <revision>

Installs that revision of this repository beside this one and upgrades from it: a data folder that it made is opened here;
two of its processes behind Caddy, on PostgreSQL, are replaced by two of this version, one after the other, while requests
go on. Exit code 1 when a request fails, an order or a message is lost or doubled, or a sum does not add up.
`
const revision = process.argv[2]
if (revision === undefined || revision.startsWith('-')) {
  process.stderr.write(USAGE)
  process.exit(2)
}

const say = (line: string) => process.stdout.write(`${line}\n`)
const folder = mkdtempSync(join(tmpdir(), 'shopbell-upgrade-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const old = await checkOut(revision, join(folder, 'old'))
say(`from ${old.commit} to this tree`)
await openOldFolder(old.root, ROOT, join(folder, 'data'))
say('its data folder opens: the same orders, products and messages')
say(await replaceUnderLoad(old.root, ROOT, folder))
