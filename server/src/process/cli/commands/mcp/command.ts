import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { type Cli, CliError, secretsFrom } from '../../cli.ts'

type Options = { allowWrites?: true; keyFile?: string }

/** `shopbell mcp`: offers a shop's operations as tools for assistants. */
export function mcpCommand(program: Command, { url }: Pick<Cli, 'url'>): void {
  program
    .command('mcp')
    .description('offer the API as tools to assistants (MCP over stdio); the key comes from SHOPBELL_API_KEY')
    .option('--key-file <file>', 'read the API key from this file instead')
    .option('--allow-writes', 'also offer operations that change something')
    .action(async ({ allowWrites, keyFile }: Options) => {
      const { serveTools } = await import('./serve-tools.ts')
      await serveTools({ url: url(), apiKey: keyOf(keyFile), allowWrites: allowWrites === true })
    })
}

/** The key is never an argument, because anyone on the machine can see those. */
function keyOf(file: string | undefined): string {
  const { key = '' } =
    file === undefined ? secretsFrom({ key: 'SHOPBELL_API_KEY' }) : { key: readFileSync(file, 'utf8') }
  if (key.trim() === '')
    throw new CliError('No API key. Set SHOPBELL_API_KEY, or name a file that holds the key with --key-file.')
  return key.trim()
}
