import type { Command } from 'commander'
import { type Cli, listed, paged } from '../cli.ts'

type Entry = {
  shopId: string
  actor: string
  action: string
  target: object
  detail: object
  createdAt: string
}

/** The audit log. */
export function auditCommand(program: Command, cli: Cli): void {
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
