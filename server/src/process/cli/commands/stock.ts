import type { Command } from 'commander'
import { type Cli, CliError } from '../cli.ts'

type StockDifferences = {
  total: number
  differences: {
    number: string
    productId: string
    skuId: string | null
    warehouseId: string | null
    stored: number
    derived: number
  }[]
}

/** `shopbell stock …`: compares stock with its ledger. */
export function stockCommands(program: Command, cli: Cli): void {
  program
    .command('stock')
    .description('stock')
    .command('verify [shopId]')
    .description('compare stock with its movements and reservations; exits with 1 if they differ')
    .option('--all', 'all shops')
    .option('--repair', 'set stock that differs to the value in the ledger')
    .action(async (shopId: string | undefined, options: { all?: true; repair?: true }) => {
      if ((shopId === undefined) === (options.all === undefined)) {
        throw new CliError('Give a shop id, or --all for all shops.')
      }
      const shopIds = shopId === undefined ? await listShopIds(cli) : [shopId]
      let total = 0
      for (const id of shopIds) {
        const answer = await (options.repair
          ? cli.call('POST', `/shops/${id}/stock/repair`)
          : cli.call('GET', `/shops/${id}/stock/differences`))
        const found = answer.data as StockDifferences
        total += found.total
        cli.print({ shopId: id, ...found }, differencesText(id, found, options.repair === true))
      }
      if (total > 0 && options.repair !== true) process.exitCode = 1
    })
}

function differencesText(
  shopId: string,
  { total, differences }: StockDifferences,
  isRepaired: boolean,
): string {
  if (total === 0) return `${shopId}  no differences`
  const lines = differences.map((one) => {
    const place = one.skuId === null ? `product ${one.productId}` : `SKU ${one.skuId} in ${one.warehouseId}`
    return `${shopId}  ${one.number} of ${place}: ${one.stored}, ledger ${one.derived}`
  })
  return [...lines, `${shopId}  ${total} ${isRepaired ? 'repaired' : 'differ; --repair fixes them'}`].join(
    '\n',
  )
}

/** The ids of all shops, each once, whatever shops are created or deleted meanwhile. */
export async function listShopIds({ call }: Cli): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null | undefined = '*'
  do {
    const query = new URLSearchParams({ limit: '100', cursor })
    const { data, meta } = await call('GET', `/shops?${query}`)
    ids.push(...(data as { _id: string }[]).map((one) => one._id))
    cursor = meta?.nextCursor
  } while (cursor)
  return ids
}
