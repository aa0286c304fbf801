import { basename } from 'node:path'
import type { Command } from 'commander'
import { type Cli, CliError } from '../../cli.ts'
import { listShopIds } from '../stock.ts'
import { type Charge, compareBill, type Difference } from './compare.ts'
import { type BillRow, readBill } from './read-bill.ts'

/** `shopbell platform bill compare`: compares the platform's bill with the ledgers. */
export function billCommands(program: Command, cli: Cli): void {
  program
    .command('platform')
    .description('the messaging platform')
    .command('bill')
    .description('its bills')
    .command('compare <file>')
    .description(
      'compare a bill (CSV with msg_id, amount) with the ledgers of its month; exits with 1 if they differ',
    )
    .option('--month <month>', 'such as 2026-11 (default: from the name of the file)')
    .option('--oa <oaId>', 'only this official account')
    .action(async (file: string, { month, oa }: { month?: string; oa?: string }) => {
      const differences = compareBill(
        ofAccount(readBill(file), oa),
        ofAccount(chargesOf(cli, monthOf(file, month)), oa),
      )
      let count = 0
      for (;;) {
        const { done, value } = await differences.next()
        if (done) {
          const { messages, billed, charged } = value
          cli.print(
            { differences: count, ...value },
            `${count} differences in ${messages} messages of the ledger; bill ${billed} đồng, ledger ${charged} đồng`,
          )
          break
        }
        count += 1
        cli.print(value, textOf(value))
      }
      if (count > 0) process.exitCode = 1
    })
}

function monthOf(file: string, given: string | undefined): string {
  const month = given ?? /20\d{2}-\d{2}/.exec(basename(file))?.[0]
  if (month === undefined || !/^20\d{2}-(0[1-9]|1[0-2])$/.test(month))
    throw new CliError(
      `The month of ${file} is not known: name the file 2026-11.csv, or give --month 2026-11.`,
    )
  return month
}

/** The rows of one official account, or all rows without `oaId`. */
async function* ofAccount<Row extends BillRow | Charge>(
  rows: AsyncIterable<Row>,
  oaId: string | undefined,
): AsyncGenerator<Row, void> {
  for await (const row of rows) if (oaId === undefined || row.oaId === oaId) yield row
}

/** The charges of all shops in a month, read page by page. */
async function* chargesOf(cli: Cli, month: string): AsyncGenerator<Charge, void> {
  for (const shopId of await listShopIds(cli)) {
    let after: string | undefined
    do {
      const query = new URLSearchParams({ month, ...(after !== undefined && { after }) })
      const { data, meta } = await cli.call('GET', `/shops/${shopId}/charges?${query}`)
      const charges = data as Omit<Charge, 'shopId'>[]
      for (const charge of charges) yield { shopId, ...charge }
      after = meta?.nextAfter ?? undefined
    } while (after !== undefined)
  }
}

function textOf(found: Difference): string {
  if (found.kind === 'billed-twice')
    return `line ${found.line}: message ${found.msgId} is already on line ${found.firstLine}, ${found.billed} đồng`
  if (found.kind === 'not-in-ledger')
    return `line ${found.line}: message ${found.msgId} is in no ledger, billed ${found.billed} đồng`
  const message = `message ${found.messageId} of shop ${found.shopId}`
  if (found.kind === 'not-on-bill') return `${message} is not on the bill, charged ${found.charged} đồng`
  const by = {
    amount: `charged ${found.charged} đồng`,
    released: 'its fee was released',
    held: 'its fee is still held until its receipt',
  }[found.kind]
  return `line ${found.line}: ${message} is billed ${found.billed} đồng, ${by}`
}
