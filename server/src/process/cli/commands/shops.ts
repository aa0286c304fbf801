import type { Command } from 'commander'
import { type Cli, listed, paged } from '../cli.ts'

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

const UNKNOWN_POLICY = 'release, resend-once, or service for the service’s default'

type ShopOptions = { unknownPolicy?: string }

/** The options in the form that the management API takes. */
function shopSettings(options: ShopOptions): object {
  return options.unknownPolicy === 'service' ? { ...options, unknownPolicy: null } : options
}

/** Creating, listing and changing shops. @returns the command that further ones of shops are added to */
export function shopCommands(program: Command, { call, print }: Cli): Command {
  const shop = program.command('shop').description('shops')
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
  return shop
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
