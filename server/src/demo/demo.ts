import type { Deps } from '../deps.ts'

export async function ensureDemo(_deps: Deps, _simulatorUrl: string | undefined): Promise<string | undefined> {
  return undefined
}
