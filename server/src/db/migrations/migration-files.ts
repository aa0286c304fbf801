import { readdirSync } from 'node:fs'
import { INSTALLED } from '../../installed-files.ts'

/** The migrations that this code knows, oldest first. */
export function migrationNames(): string[] {
  return readdirSync(INSTALLED.migrations)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .sort()
}

/** The number of a migration: the four digits that its name begins with. */
export function numberOf(name: string): string {
  return name.slice(0, 4)
}

/** The number of the newest migration that this code knows. */
export function newestSchema(): string {
  return numberOf(migrationNames().at(-1)!)
}
