import type { Command } from 'commander'
import { toNfc } from '../../../lib/text/text.ts'
import { type Cli, CliError, listed, paged } from '../cli.ts'
import { type Shop, shopText } from './shops.ts'

type Closing = {
  id: string
  erasedAt: string | null
  toppedUp: number
  corrected: number
  charged: number
  chargedMessages: number
  balance: number
  held: number
}

/** Further commands of `shopbell shop …`, for a shop that is deleted (G-69). */
export function deletionCommands(shop: Command, { call, download, print }: Cli): void {
  shop
    .command('delete <shopId>')
    .description('suspend a shop now, and erase it after SHOP_DELETION_DAYS once it has been exported')
    .requiredOption('--name <name>', 'the shop’s name, to confirm that it is the right one')
    .action(async (shopId: string, options: { name: string }) => {
      const found = (await call('GET', `/shops/${shopId}`)).data as { shop: Shop }
      // The service compares them too, but its refusal names the field of the request.
      if (toNfc(options.name).trim() !== found.shop.name)
        throw new CliError(
          `--name ${options.name} is not the name of this shop, which is "${found.shop.name}": nothing was changed`,
        )
      const answer = await call('PUT', `/shops/${shopId}/deletion`, options)
      print(answer, shopText((answer.data as { shop: Shop }).shop))
    })

  shop
    .command('keep <shopId>')
    .description('withdraw the deletion of a shop, which stays suspended')
    .action(async (shopId: string) => {
      const answer = await call('DELETE', `/shops/${shopId}/deletion`)
      print(answer, shopText((answer.data as { shop: Shop }).shop))
    })

  shop
    .command('export <shopId> <file>')
    .description('write all data of a shop to a new file, as lines of JSON')
    .action(async (shopId: string, file: string) => {
      await download(`/shops/${shopId}/export`, file)
      print({ data: { file } }, `written to ${file}`)
    })

  paged(shop.command('closed').description('list what is kept of erased shops, newest first')).action(
    async (options: Record<string, string>) => {
      const answer = await call('GET', `/closed-shops?${new URLSearchParams(options)}`)
      const lines = (answer.data as Closing[]).map(
        (one) =>
          `${one.id}  ${one.erasedAt === null ? 'being erased' : `erased ${one.erasedAt}`}  topped up ${one.toppedUp}  corrected ${one.corrected}  charged ${one.charged} for ${one.chargedMessages} messages  left ${one.balance + one.held} đồng`,
      )
      print(answer, listed(answer, lines, 'no erased shops'))
    },
  )
}
