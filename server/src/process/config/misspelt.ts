import { diff } from 'node:util'
import { readConfig } from './read-config.ts'

/** A shorter name is too easily close to another one. */
const LEAST_LENGTH = 6
/** Letters that are missing or too many; one that was replaced counts as both. */
const MOST_CHANGES = 2

/**
 * The variables that are no settings, but almost named as one that is not set: a service with a misspelt `DATABASE_URL` would
 * start on the embedded database.
 * @throws ConfigError as `readConfig` does.
 */
export function misspeltSettings(env: NodeJS.ProcessEnv = process.env): { name: string; setting: string }[] {
  const settings = new Set<string>()
  readConfig(
    new Proxy(env, {
      get(variables, name) {
        settings.add(String(name))
        return variables[String(name)]
      },
    }),
  )
  const unset = [...settings].filter((setting) => env[setting] === undefined)
  return Object.keys(env)
    .filter((name) => name.length >= LEAST_LENGTH && !settings.has(name))
    .flatMap((name) => {
      const setting = unset.find((one) => changesBetween(name, one) <= MOST_CHANGES)
      return setting === undefined ? [] : { name, setting }
    })
}

function changesBetween(name: string, other: string): number {
  if (Math.abs(name.length - other.length) > MOST_CHANGES) return MOST_CHANGES + 1
  return diff(name, other).filter(([kind]) => kind !== 0).length
}
