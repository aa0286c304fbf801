import type { Command } from 'commander'
import { type Cli, CliError } from '../cli.ts'

export function walletCommands(program: Command, { call, print }: Cli): void {
  const wallet = program.command('wallet').description('wallets')
  const enter = async (shopId: string, type: string, typed: string, note: string) => {
    const amount = amountOf(typed)
    const answer = await call('POST', `/shops/${shopId}/wallet/entries`, { type, amount, note })
    const { balance, held } = answer.data as { balance: number; held: number }
    print(answer, `added ${amount} đồng: balance ${balance} đồng, held ${held} đồng`)
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

/** `Number` alone would read 500.000, as Vietnamese writes half a million, as 500. */
function amountOf(typed: string): number {
  if (!/^-?\d{1,15}$/.test(typed))
    throw new CliError(`"${typed}" is not usable: write đồng in digits only, such as 500000`)
  return Number(typed)
}
