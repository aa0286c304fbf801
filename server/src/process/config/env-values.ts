import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** A setting has an invalid value. The message is the one line that the start prints. */
export class ConfigError extends Error {}

/** The trimmed value of a setting; undefined if it is not set or blank. */
export function text(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === undefined || value === '' ? undefined : value
}

/** A whole number from `min` to `max`. @throws ConfigError otherwise, like all that follow. */
export function integer(
  env: NodeJS.ProcessEnv,
  name: string,
  fallback: number,
  min: number,
  max: number,
): number {
  const value = text(env, name)
  if (value === undefined) return fallback
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < min || number > max) {
    throw new ConfigError(`${name}=${value} is not usable: use a whole number from ${min} to ${max}`)
  }
  return number
}

export function flag(env: NodeJS.ProcessEnv, name: string, fallback: boolean): boolean {
  const value = text(env, name)
  if (value === undefined) return fallback
  if (value === '1' || value === 'true') return true
  if (value === '0' || value === 'false') return false
  throw new ConfigError(`${name}=${value} is not usable: use 1, 0, true or false`)
}

export function oneOf<const Value extends string>(
  env: NodeJS.ProcessEnv,
  name: string,
  fallback: NoInfer<Value>,
  allowed: readonly Value[],
): Value {
  const value = text(env, name) ?? fallback
  const known = allowed.find((one) => one === value)
  if (known !== undefined) return known
  throw new ConfigError(`${name}=${value} is not usable: use one of ${allowed.join(', ')}`)
}

/** A folder, which need not exist yet. */
export function folder(env: NodeJS.ProcessEnv, name: string, fallback: string): string {
  const path = resolve(text(env, name) ?? fallback)
  for (let above = path; above !== dirname(above); above = dirname(above)) {
    if (!isFile(above)) continue
    throw new ConfigError(`${name}=${path} is not usable, because ${above} is a file: name a folder`)
  }
  return path
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** An address with one of these protocols, of which the first is advised. */
export function url(env: NodeJS.ProcessEnv, name: string, protocols: string[]): string | undefined {
  const value = text(env, name)
  if (value === undefined) return undefined
  const parsed = URL.canParse(value) ? new URL(value) : undefined
  if (parsed === undefined || !protocols.includes(parsed.protocol)) {
    // Even a value that is not an address may contain a password.
    const shown = value.replace(/(^|\/\/).*@/s, '$1…@')
    throw new ConfigError(`${name}=${shown} is not usable: use an address starting with ${protocols[0]}//`)
  }
  return value.replace(/\/$/, '')
}

/** The host of an address, with a port if one is given; refuses anything that an address has besides it. */
export function hostName(env: NodeJS.ProcessEnv, name: string, fallback: string): string {
  const value = text(env, name) ?? fallback
  const address = `https://${value}`
  if (URL.canParse(address) && new URL(address).host === value.toLowerCase()) return value
  throw new ConfigError(`${name}=${value} is not usable: use a host name only, such as ${fallback}`)
}

/** A text of at least `length` characters. Its value is never named in an error, as it may be a secret. */
export function atLeast(env: NodeJS.ProcessEnv, name: string, length: number): string | undefined {
  const value = text(env, name)
  if (value !== undefined && value.length < length) {
    throw new ConfigError(`${name} is not usable: use at least ${length} characters`)
  }
  return value
}

export function atMost(env: NodeJS.ProcessEnv, name: string, length: number): string | undefined {
  const value = text(env, name)
  if (value !== undefined && value.length > length) {
    throw new ConfigError(`${name} is not usable: use at most ${length} characters`)
  }
  return value
}

/** A port, or undefined if it is not set. */
export function optionalPort(env: NodeJS.ProcessEnv, name: string): number | undefined {
  return text(env, name) === undefined ? undefined : integer(env, name, 0, 0, 65_535)
}
