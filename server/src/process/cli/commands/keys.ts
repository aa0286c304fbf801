import type { Command } from 'commander'
import { type Answer, type Cli, listed, paged, wholeNumber } from '../cli.ts'

type Key = {
  _id: string
  name: string
  prefix: string
  scopes: string[]
  expiresAt: string | null
  lastUsedAt: string | null
  revokedAt: string | null
}

export function keyCommands(program: Command, { call, print }: Cli): void {
  const key = program.command('key').description('API keys')
  key
    .command('issue <shopId> <name>')
    .description('issue another API key; it is shown only once')
    .option('--expires-at <time>', 'ISO 8601')
    .option('--scopes <scopes>', 'read,catalogue,orders,content,messages,wallet; default: all')
    .action(async (shopId: string, name: string, options: { expiresAt?: string; scopes?: string }) => {
      const { scopes, ...others } = options
      const body = { name, ...others, ...(scopes === undefined ? {} : { scopes: scopes.split(',') }) }
      const answer = await call('POST', `/shops/${shopId}/keys`, body)
      print(answer, issuedText(answer))
    })

  paged(key.command('list <shopId>').description('list the API keys of a shop, newest first')).action(
    async (shopId: string, options: Record<string, string>) => {
      const answer = await call('GET', `/shops/${shopId}/keys?${new URLSearchParams(options)}`)
      const lines = (answer.data as Key[]).map((one) => {
        const end =
          one.revokedAt === null ? `expires ${one.expiresAt ?? 'never'}` : `revoked ${one.revokedAt}`
        const used = `used ${one.lastUsedAt ?? 'never'}`
        return `${one._id}  ${one.prefix}…  ${one.scopes.join(',')}  ${used}  ${end}  ${one.name}`
      })
      print(answer, listed(answer, lines, 'no keys'))
    },
  )

  key
    .command('rotate <shopId> <keyId>')
    .description('replace an API key; the new key is shown only once')
    .option('--overlap <seconds>', 'how long the old key keeps working', wholeNumber, 86_400)
    .option('--expires-at <time>', 'expiry of the new key, ISO 8601')
    .action(async (shopId: string, keyId: string, options: { overlap: number; expiresAt?: string }) => {
      const { overlap: overlapSeconds, ...others } = options
      const answer = await call('POST', `/shops/${shopId}/keys/${keyId}/rotate`, {
        overlapSeconds,
        ...others,
      })
      print(answer, issuedText(answer))
    })

  key
    .command('revoke <shopId> <keyId>')
    .description('revoke an API key immediately')
    .action(async (shopId: string, keyId: string) => {
      print(await call('DELETE', `/shops/${shopId}/keys/${keyId}`), `key ${keyId} is revoked`)
    })
}

function issuedText(answer: Answer): string {
  const { key, apiKey } = answer.data as { key: Key; apiKey: string }
  return `key      ${key._id}\nAPI key  ${apiKey}`
}
