import { fileURLToPath } from 'node:url'

/** `npm run build` puts the bundle's files into one folder, `server`; in a checkout this code runs from its sources. */
const isBundle = !import.meta.url.endsWith('.ts')

function pathOf({ checkout, bundle }: { checkout: string; bundle: string }): string {
  return fileURLToPath(new URL(isBundle ? bundle : checkout, import.meta.url))
}

/** Paths of installed files that the service reads or starts as a process. */
export const INSTALLED = {
  migrations: pathOf({ checkout: '../migrations', bundle: '../migrations' }),
  /** Creates the embedded database's files: `node <this> <folder>`. */
  initEmbedded: pathOf({ checkout: './db/embedded/init-embedded.ts', bundle: './init-embedded.js' }),
  simulator: pathOf({ checkout: '../../simulator/src/main.ts', bundle: './simulator.js' }),
  docs: pathOf({ checkout: '../../docs', bundle: '../docs' }),
  /** The console's built files, and its sources: undefined if there is nothing to build. */
  console: pathOf({ checkout: '../../console/dist', bundle: '../console' }),
  consoleSources: isBundle ? undefined : pathOf({ checkout: '../../console', bundle: '' }),
  /** The compile cache for later starts. Whoever may write to it can also change the code beside it. */
  compileCache: pathOf({ checkout: '../../node_modules/.cache/shopbell', bundle: '../.cache' }),
}
