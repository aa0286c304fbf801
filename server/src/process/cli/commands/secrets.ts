import type { Command } from 'commander'
import { DatabaseUnreachable } from '../../../db/unreachable.ts'
import { DatabaseUnusable } from '../../../db/unusable.ts'
import { createSecretBox } from '../../../lib/secrets/secret-box.ts'
import { findSealingKeys } from '../../config/own-secrets.ts'
import { readConfig } from '../../config/read-config.ts'
import { type Cli, CliError } from '../cli.ts'

/** `shopbell secrets …`: the key that secrets are sealed with. */
export function secretsCommands(program: Command, { print }: Cli): void {
  program
    .command('secrets')
    .description('the key with which the database’s secrets are sealed')
    .command('reseal')
    .description('seal all secrets with the first key of SECRETS_KEY, while the service runs with both keys')
    .action(async () => {
      const config = readConfig()
      const { databaseUrl } = config
      if (databaseUrl === undefined)
        throw new CliError(
          'The embedded database is resealed when the service starts with both keys in SECRETS_KEY.',
        )
      const keys = findSealingKeys(config)
      if (keys === undefined || keys === 'unusable' || keys.length < 2)
        throw new CliError('Set SECRETS_KEY to the new key and the old one, separated by a comma.')
      const [{ openPostgres }, { assertSealingKey }, { resealSecrets }] = await Promise.all([
        import('../../../db/client.ts'),
        import('../../../db/sealing-key.ts'),
        import('../../../db/reseal.ts'),
      ])
      const database = openPostgres(databaseUrl, { max: 1 })
      try {
        const secrets = createSecretBox(keys)
        await assertSealingKey(database.db, keys, secrets).catch((error) => {
          throw error instanceof DatabaseUnusable ? error : new DatabaseUnreachable(databaseUrl, error)
        })
        const resealed = await resealSecrets(database.db, keys, secrets)
        print(
          { data: { resealed } },
          `resealed ${resealed} records; now restart all processes with the new key alone`,
        )
      } finally {
        await database.close()
      }
    })
}
