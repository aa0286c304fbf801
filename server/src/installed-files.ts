import { fileURLToPath } from 'node:url'

/** The bundle's files are in one folder, `server`, of the output of `npm run build`; the sources are in a checkout. */
const isBundle = !import.meta.url.endsWith('.ts')

function pathOf({ checkout, bundle }: { checkout: string; bundle: string }): string {
  return fileURLToPath(new URL(isBundle ? bundle : checkout, import.meta.url))
}

/** Paths of files that are installed beside this code and are read, or started as a process. */
export const INSTALLED = {
  migrations: pathOf({ checkout: '../migrations', bundle: '../migrations' }),
  /** Creates the embedded database's files: `node <this> <folder>`. */
  initEmbedded: pathOf({ checkout: './db/embedded/init-embedded.ts', bundle: './init-embedded.js' }),
  simulator: pathOf({ checkout: '../../simulator/src/main.ts', bundle: './simulator.js' }),
  docs: pathOf({ checkout: '../../docs', bundle: '../docs' }),
  /** The console's built files, and what they are built from: undefined if there is nothing to build. */
  console: pathOf({ checkout: '../../console/dist', bundle: '../console' }),
  consoleSources: isBundle ? undefined : pathOf({ checkout: '../../console', bundle: '' }),
  /** The compile cache of later starts: whoever may write there may also change the code beside it. */
  compileCache: pathOf({ checkout: '../../node_modules/.cache/shopbell', bundle: '../.cache' }),
}
