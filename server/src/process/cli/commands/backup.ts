import type { Command } from 'commander'
import { type Facts, rowsOf } from '../../../db/facts.ts'
import { readConfig } from '../../config/read-config.ts'
import { type Cli, CliError } from '../cli.ts'

/** The commands that copy or move the data: `backup`, `restore`, `move`. */
export function backupCommands(program: Command, cli: Cli): void {
  program
    .command('backup <file>')
    .description(
      'back up the database, images and secrets to a new file, whether or not the service is running',
    )
    .option('--without-key', 'leave out the key that secrets are sealed with; keep it elsewhere')
    .action(async (file: string, options: { withoutKey?: true }) => {
      const { makeBackup } = await import('../../backup/make-backup.ts')
      const hasKey = options.withoutKey === undefined
      const { manifest, bytes } = await makeBackup(readConfig(), cli, { file, hasKey })
      const { facts, images, schema, hasSealingKey } = manifest
      const key = hasSealingKey
        ? 'it contains the sealing key: whoever can read it can use the shops’ secrets'
        : 'it does not contain the sealing key: keep SECRETS_KEY elsewhere, because nothing else opens the secrets'
      cli.print(
        { data: { file, bytes, ...manifest } },
        `${file}: ${sizeOf(bytes)}, schema ${schema}, ${compared(facts)}, ${images} images\n${key}`,
      )
    })

  program
    .command('restore <file>')
    .description('restore a backup into an empty DATA_DIR, and an empty DATABASE_URL if it is of PostgreSQL')
    .action(async (file: string) => {
      const { restoreBackup } = await import('../../backup/restore-backup.ts')
      const config = readConfig()
      const manifest = await restoreBackup(config, file)
      const { facts, images, madeAt, schema } = manifest
      cli.print(
        { data: { file, ...manifest } },
        `${config.dataDir}: as of ${madeAt}, schema ${schema}, ${compared(facts)}, ${images} images\nstart the service with "shopbell serve"`,
      )
    })

  program
    .command('move')
    .description('copy the embedded database to an empty PostgreSQL database; stop the service first')
    .requiredOption('--to <address>', 'postgres://…')
    .action(async ({ to }: { to: string }) => {
      if (!/^postgres(ql)?:$/.test(URL.canParse(to) ? new URL(to).protocol : ''))
        throw new CliError('--to is not usable: use an address starting with postgres://')
      const { moveToPostgres } = await import('../../backup/move-to-postgres.ts')
      const config = readConfig()
      const facts = await moveToPostgres(config, to)
      cli.print(
        { data: { facts } },
        `moved: ${compared(facts)}\nstart the service with DATABASE_URL set to it and the same DATA_DIR (${config.dataDir}), which keeps the keys and images`,
      )
    })
}

function sizeOf(bytes: number): string {
  return bytes < 1024 ** 2 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`
}

/** Describes what was compared. */
function compared(facts: Facts): string {
  const { ledgerDifferences: n } = facts
  const ledgers =
    n === 0 ? 'ledgers agree' : `${n} wallets or stocks differ from their ledgers, as they did before`
  return `${rowsOf(facts)} rows in ${Object.keys(facts.tables).length} tables compared, ${ledgers}`
}
