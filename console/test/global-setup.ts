import { pino } from 'pino'
import { builtConsole } from '../../server/src/process/console-build.ts'

/** Builds the console before the first service would: services that are started side by side would each build it. */
export default async function setup(): Promise<void> {
  if ((await builtConsole(pino())) === undefined) throw new Error('the console could not be built')
}
