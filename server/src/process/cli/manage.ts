import { type Command, InvalidArgumentError, Option } from 'commander'

/** A command failed. The message is the one line that is printed. */
export class CliError extends Error {}

/** A response of the management API. */
export type Answer = { data: unknown; meta?: { page?: number; hasMore?: boolean; nextAfter?: string | null } }

/** What a command needs: the running service's management API, and output as JSON or text. */
export type Cli = {
  /** @throws CliError if no service is running, or the service refuses. */
  call(method: string, path: string, body?: unknown): Promise<Answer>
  /**
   * Writes the response of a GET to a new file that only its owner can read.
   * @throws CliError as `call` does.
   */
  download(path: string, file: string): Promise<void>
  /** The address of the running service. */
  url(): string
  print(data: unknown, text: string): void
}

export type Shop = {
  _id: string
  name: string
  language: string
  oversell: string
  createdAt: string
  suspendedAt: string | null
  suspensionReason: string | null
  deletion: { askedAt: string; dueAt: string; exportedAt: string | null; erasingSince: string | null } | null
}
type Key = {
  _id: string
  name: string
  prefix: string
  scopes: string[]
  expiresAt: string | null
  lastUsedAt: string | null
  revokedAt: string | null
}
type Entry = {
  shopId: string
  actor: string
  action: string
  target: object
  detail: object
  createdAt: string
}

/** The operator's commands: shops, keys, official accounts, wallets, the audit log. */
export function manageCommands(program: Command, cli: Cli): void {
  shopCommands(program.command('shop').description('shops'), cli)
  keyCommands(program.command('key').description('API keys'), cli)
  accountCommands(program.command('oa').description('official accounts'), cli)
  walletCommands(program.command('wallet').description('wallets'), cli)

  paged(
    program.command('audit [shopId]').description('list changes in one shop or in all shops, newest first'),
  )
    .option('--action <action>', 'only this action, for example key.rotate')
    .action(async (shopId: string | undefined, options: Record<string, string>) => {
      const path = shopId === undefined ? '/audit' : `/shops/${shopId}/audit`
      const answer = await cli.call('GET', `${path}?${new URLSearchParams(options)}`)
      const lines = (answer.data as Entry[]).map(
        (entry) =>
          `${entry.createdAt}  ${entry.shopId}  ${entry.actor}  ${entry.action}  ${JSON.stringify(entry.target)}  ${JSON.stringify(entry.detail)}`,
      )
      cli.print(answer, listed(answer, lines, 'no entries'))
    })
}

const UNKNOWN_POLICY = 'release, resend-once, or service for the service’s default'

type ShopOptions = { unknownPolicy?: string }

/** The options in the form that the management API takes. */
function shopSettings(options: ShopOptions): object {
  return options.unknownPolicy === 'service' ? { ...options, unknownPolicy: null } : options
}

function shopCommands(shop: Command, { call, print }: Cli): void {
  shop
    .command('create <name>')
    .description('create a shop; its first API key is shown only once')
    .option('--language <language>', 'vi or en', 'vi')
    .option('--oversell <rule>', 'allow or deny', 'allow')
    .option('--unknown-policy <policy>', UNKNOWN_POLICY)
    .action(async (name: string, options: ShopOptions) => {
      const answer = await call('POST', '/shops', { name, ...shopSettings(options) })
      const { shop, apiKey } = answer.data as { shop: Shop; apiKey: string }
      print(answer, `shop     ${shop._id}\nAPI key  ${apiKey}`)
    })

  paged(shop.command('list').description('list the shops, newest first'))
    .option('--search <words>', 'words of the name')
    .action(async (options: Record<string, string>) => {
      const answer = await call('GET', `/shops?${new URLSearchParams(options)}`)
      const lines = (answer.data as Shop[]).map((one) => `${one._id}  ${one.createdAt}  ${one.name}`)
      print(answer, listed(answer, lines, 'no shops'))
    })

  shop
    .command('show <shopId>')
    .description('show a shop')
    .action(async (shopId: string) => {
      const answer = await call('GET', `/shops/${shopId}`)
      print(answer, shopText((answer.data as { shop: Shop }).shop))
    })

  shop
    .command('suspend <shopId>')
    .description('refuse the keys and sessions of a shop, and send nothing for it, until it is resumed')
    .option('--reason <text>', 'for the audit log and other operators')
    .action(async (shopId: string, options: { reason?: string }) => {
      const answer = await call('PUT', `/shops/${shopId}/suspension`, options)
      print(answer, shopText((answer.data as { shop: Shop }).shop))
    })

  shop
    .command('resume <shopId>')
    .description('resume a suspended shop; what waited is sent')
    .action(async (shopId: string) => {
      const answer = await call('DELETE', `/shops/${shopId}/suspension`)
      print(answer, shopText((answer.data as { shop: Shop }).shop))
    })

  shop
    .command('update <shopId>')
    .description('change the settings of a shop')
    .option('--name <name>')
    .option('--language <language>', 'vi or en')
    .option('--oversell <rule>', 'allow or deny')
    .option('--unknown-policy <policy>', UNKNOWN_POLICY)
    .action(async (shopId: string, options: ShopOptions) => {
      const answer = await call('PATCH', `/shops/${shopId}`, shopSettings(options))
      print(answer, shopText((answer.data as { shop: Shop }).shop))
    })
}

function keyCommands(key: Command, { call, print }: Cli): void {
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

function accountCommands(oa: Command, { call, print }: Cli): void {
  type Account = {
    _id: string
    oaId: string
    name: string
    price: number | null
    priceUID: number | null
    chargeOn: string
  }
  const line = (one: Account) =>
    `${one._id}  ${one.oaId}  price ${one.price ?? 'none'}  by UID ${one.priceUID ?? 'none'}  charged when ${one.chargeOn}  ${one.name}`

  oa.command('link <shopId> <oaId> <name>')
    .description(
      'link an official account; secrets come from OA_SECRET_KEY, OA_ACCESS_TOKEN, OA_REFRESH_TOKEN',
    )
    .option('--app-id <id>', 'the app that the tokens belong to')
    .action(async (shopId: string, oaId: string, name: string, options: object) => {
      const body = { oaId, name, ...options, ...oaSecrets() }
      const answer = await call('POST', `/shops/${shopId}/official-accounts`, body)
      print(answer, `official account ${oaId} is linked`)
    })

  oa.command('list <shopId>')
    .description('list the official accounts of a shop')
    .action(async (shopId: string) => {
      const answer = await call('GET', `/shops/${shopId}/official-accounts`)
      print(answer, (answer.data as Account[]).map(line).join('\n') || 'no official accounts')
    })

  oa.command('update <shopId> <accountId>')
    .description('change an official account; secrets as in link')
    .option('--name <name>')
    .option('--app-id <id>')
    .addOption(
      new Option('--charge-on <when>', 'when a message is charged').choices(['accepted', 'delivered']),
    )
    .option('--price <vnd>', 'đồng per message by phone, if the platform sets no price', wholeNumber)
    .option('--price-uid <vnd>', 'đồng per message by UID, if the platform sets no price', wholeNumber)
    .action(async (shopId: string, accountId: string, options: Record<string, unknown>) => {
      const { priceUid, ...others } = options
      const body = { ...others, ...(priceUid === undefined ? {} : { priceUID: priceUid }), ...oaSecrets() }
      const answer = await call('PATCH', `/shops/${shopId}/official-accounts/${accountId}`, body)
      print(answer, line(answer.data as Account))
    })

  oa.command('unlink <shopId> <accountId>')
    .description('unlink an official account')
    .action(async (shopId: string, accountId: string) => {
      const answer = await call('DELETE', `/shops/${shopId}/official-accounts/${accountId}`)
      print(answer, `official account ${(answer.data as Account).oaId} is unlinked`)
    })
}

function walletCommands(wallet: Command, { call, print }: Cli): void {
  const enter = async (shopId: string, type: string, amount: string, note: string) => {
    const answer = await call('POST', `/shops/${shopId}/wallet/entries`, {
      type,
      amount: Number(amount),
      note,
    })
    const { balance, held } = answer.data as { balance: number; held: number }
    print(answer, `balance ${balance} đồng, held ${held} đồng`)
  }

  wallet
    .command('top-up <shopId> <amount>')
    .description('add đồng to a wallet')
    .option('--note <text>', 'note in the ledger', 'Top-up')
    .action((shopId: string, amount: string, { note }: { note: string }) =>
      enter(shopId, 'top_up', amount, note),
    )

  wallet
    .command('correct <shopId> <amount>')
    .description(
      'correct a wallet balance; put a negative amount after "--": correct <shopId> --note why -- -500',
    )
    .requiredOption('--note <text>', 'note in the ledger')
    .action((shopId: string, amount: string, { note }: { note: string }) =>
      enter(shopId, 'correction', amount, note),
    )
}

/** Adds the options of a paged list. */
export function paged(command: Command): Command {
  return command
    .option('--page <number>', 'page number', '1')
    .option('--limit <number>', 'at most 100', '100')
}

/** The lines of a page, and how to get the next one. */
export function listed(answer: Answer, lines: string[], none: string): string {
  if (lines.length === 0) return none
  const { page = 1, hasMore = false } = answer.meta ?? {}
  return [...lines, ...(hasMore ? [`more with --page ${page + 1}`] : [])].join('\n')
}

/** A shop as the commands print it. */
export function shopText(shop: Shop): string {
  const { suspendedAt: since, suspensionReason: reason, deletion } = shop
  let suspended = since === null ? '' : `\nsuspended since ${since}${reason === '' ? '' : `: ${reason}`}`
  if (deletion !== null) {
    const { dueAt, exportedAt, erasingSince } = deletion
    suspended +=
      erasingSince === null ? `\nis erased after ${dueAt}` : `\nis being erased since ${erasingSince}`
    suspended += exportedAt === null ? ', once "shopbell shop export" has run' : `, exported ${exportedAt}`
  }
  return `shop      ${shop._id}\nname      ${shop.name}\nlanguage  ${shop.language}\noversell  ${shop.oversell}\ncreated   ${shop.createdAt}${suspended}`
}

function issuedText(answer: Answer): string {
  const { key, apiKey } = answer.data as { key: Key; apiKey: string }
  return `key      ${key._id}\nAPI key  ${apiKey}`
}

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Use a whole number.')
  return Number(text)
}

function oaSecrets(): Record<string, string> {
  return secretsFrom({
    secretKey: 'OA_SECRET_KEY',
    accessToken: 'OA_ACCESS_TOKEN',
    refreshToken: 'OA_REFRESH_TOKEN',
  })
}

/** Reads secrets from the environment, because anyone on the machine can see arguments. */
export function secretsFrom(variables: Record<string, string>): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, variable] of Object.entries(variables)) {
    const value = process.env[variable]
    if (value !== undefined && value !== '') found[name] = value
  }
  return found
}
