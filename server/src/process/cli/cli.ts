import { type Command, InvalidArgumentError } from 'commander'

/** A command failed. The message is the one line that is printed. */
export class CliError extends Error {}

/** A response of the management API. */
export type Answer = {
  data: unknown
  meta?: { page?: number; hasMore?: boolean; nextCursor?: string | null; nextAfter?: string | null }
}

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
  /** The address of the running service's simulator, if the service wrote it into the data folder. */
  simulatorUrl(): string | undefined
  print(data: unknown, text: string): void
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

/** The value of an option that is a whole number. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Use a whole number.')
  return Number(text)
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
