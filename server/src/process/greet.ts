import { join } from 'node:path'
import type { Config } from '../config.ts'
import { KEY_FILE } from '../demo/demo.ts'
import { PASSWORD_FILE } from '../demo/owner.ts'
import { SECRET_FILES } from './config/own-secrets.ts'

/** What a start reports when the service answers: its address, and what the start created. */
export type Started = {
  address: string
  hasConsole: boolean
  demo: { apiKey: string; isNew: boolean } | undefined
  demoOwner: { email: string; password: string | undefined } | undefined
  simulatorUrl: string | undefined
  ms: number
}

/** Prints what a person needs now. Secrets are printed only by the start that created them, because output ends up in logs. */
export function greet(config: Config, started: Started): void {
  const { address, demo, demoOwner, simulatorUrl } = started
  const inFolder = (name: string) => join(config.dataDir, name)
  const lines = [`Shopbell is ready at ${address} (${(started.ms / 1000).toFixed(1)} s)`]
  if (config.databaseUrl === undefined) {
    lines.push(
      `  database       embedded in ${config.dataDir}: safe against a killed process, not against power loss`,
    )
  } else {
    lines.push('  database       PostgreSQL')
  }
  if (started.hasConsole) {
    const password = demoOwner?.password ?? `its first password is in ${inFolder(PASSWORD_FILE)}`
    const signIn = demoOwner === undefined ? '' : ` (sign in: ${demoOwner.email} / ${password})`
    lines.push(`  console        ${address}/${signIn}`)
  }
  if (demo !== undefined) {
    const key = demo.isNew ? demo.apiKey : `$(cat '${inFolder(KEY_FILE)}')`
    lines.push(`  demo API key   ${demo.isNew ? demo.apiKey : `in ${inFolder(KEY_FILE)}`}`)
    lines.push(
      `  try            curl -H "x-api-key: service-partner ${key}" '${address}/api/external/v1/products?limit=2&select=skus'`,
    )
  }
  lines.push(`  API document   ${address}/docs`)
  if (simulatorUrl !== undefined)
    lines.push(`  simulator      ${simulatorUrl}/ (the customers' phones and the review desk)`)
  if (config.operatorTokens === undefined)
    lines.push(`  operator token in ${join(config.dataDir, SECRET_FILES.operatorToken)}`)
  process.stdout.write(`${lines.join('\n')}\n`)
}
