import { type Command, Option } from 'commander'
import { type Cli, secretsFrom, wholeNumber } from '../cli.ts'

export function accountCommands(program: Command, { call, print }: Cli): void {
  const oa = program.command('oa').description('official accounts')
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

function oaSecrets(): Record<string, string> {
  return secretsFrom({
    secretKey: 'OA_SECRET_KEY',
    accessToken: 'OA_ACCESS_TOKEN',
    refreshToken: 'OA_REFRESH_TOKEN',
  })
}
