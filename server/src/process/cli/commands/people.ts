import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { type Cli, CliError } from '../cli.ts'
import { assertNewFile, writeWhole } from '../write-file.ts'

type Erased = {
  shops?: number
  customers: number
  orders: number
  messages: number
  consents: number
  cancelled: number
  mentions: Record<string, number>
}

/** `shopbell person …`: the data that is stored about one person (G-78). */
export function peopleCommands(program: Command, cli: Cli): void {
  const person = program.command('person').description('the data held about one person, by phone number')

  person
    .command('export <shopId> <phone>')
    .description(
      'write everything that a shop holds about a person as one JSON document; "-" reads the number from stdin',
    )
    .option('--out <file>', 'write it to a file that only you may read')
    .action(async (shopId: string, phone: string, options: { out?: string }) => {
      if (options.out !== undefined) assertNewFile(options.out)
      const { data } = await cli.call('POST', `/shops/${shopId}/people/export`, { phone: given(phone) })
      const text = `${JSON.stringify(data, null, 2)}\n`
      if (options.out === undefined) return cli.print({ data }, text.trimEnd())
      writeWhole(options.out, text, 0o600)
      cli.print({ file: options.out }, `written to ${options.out}`)
    })

  person
    .command('erase <phone> [shopId]')
    .description('erase a person from a shop, or with --all from everything; it cannot be undone')
    .option('--all', 'all shops, and data that belongs to none')
    .action(async (phone: string, shopId: string | undefined, options: { all?: true }) => {
      if ((shopId === undefined) === (options.all === undefined)) {
        throw new CliError('Give a shop id, or --all for all shops.')
      }
      const path = shopId === undefined ? '/people/erase' : `/shops/${shopId}/people/erase`
      const answer = await cli.call('POST', path, { phone: given(phone) })
      cli.print(answer, erasedText(answer.data as Erased))
    })
}

function erasedText({ shops, mentions, ...counts }: Erased): string {
  const records = Object.entries(counts).map(([name, n]) => `${name} ${n}`)
  const lines = Object.entries(mentions).map(([place, n]) => `  ${place}  ${n}`)
  const where = shops === undefined ? '' : ` in ${shops} shops`
  return [
    `erased${where}: ${records.join(', ')}`,
    ...(lines.length > 0 ? ['other texts:', ...lines] : []),
  ].join('\n')
}

/** The phone number. "-" reads it from stdin, because anyone on the machine can see arguments. */
function given(phone: string): string {
  return phone === '-' ? readFileSync(0, 'utf8').trim() : phone
}
