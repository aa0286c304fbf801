import { fileURLToPath } from 'node:url'

/** The bundle's files stand in one folder, `server`, of what `npm run build` makes; the sources in a checkout. */
const isBundle = !import.meta.url.endsWith('.ts')

function pathOf({ checkout, bundle }: { checkout: string; bundle: string }): string {
  return fileURLToPath(new URL(isBundle ? bundle : checkout, import.meta.url))
}

/** Paths of what is installed beside this code and is read, or started as a process, by its path. */
export const INSTALLED = {
  migrations: pathOf({ checkout: '../migrations', bundle: '../migrations' }),
  /** Makes the embedded database's files: `node <this> <folder>`. */
  initEmbedded: pathOf({ checkout: './db/init-embedded.ts', bundle: './init-embedded.js' }),
  simulator: pathOf({ checkout: '../../simulator/src/main.ts', bundle: './simulator.js' }),
  /** The console's built files, and what they are built from: undefined where there is nothing to build. */
  console: pathOf({ checkout: '../../console/dist', bundle: '../console' }),
  consoleSources: isBundle ? undefined : pathOf({ checkout: '../../console', bundle: '' }),
  /** Compiled code of later starts: who may write there may change the code beside it as well. */
  compileCache: pathOf({ checkout: '../../node_modules/.cache/shopbell', bundle: '../.cache' }),
}
