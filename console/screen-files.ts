import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Rolldown } from 'vite'

/** A screen's path as the router has it, and the files that it loads in addition to those of every screen. */
export type ScreenFiles = { path: string; scripts: string[]; styles: string[]; needsSession: boolean }

type Chunk = Rolldown.OutputChunk

const SOURCES = join(import.meta.dirname, 'src')
const ROUTE = /(screen|entrance)\(\s*'([^']+)',\s*\(\) => import\('\.\/([^']+)'\)/g

/**
 * The files of every screen in router.tsx.
 * @throws Error if the build has no part for a screen.
 */
export function screenFiles(output: Rolldown.RolldownOutput['output']): ScreenFiles[] {
  const chunks = output.filter((file) => file.type === 'chunk')
  const frame = filesBelow(chunks, chunkOf(chunks, join(SOURCES, 'main.tsx')))
  const router = readFileSync(join(SOURCES, 'router.tsx'), 'utf8')
  return [...router.matchAll(ROUTE)].map(([, kind, path, source]) => {
    const own = filesBelow(chunks, chunkOf(chunks, join(SOURCES, source!)))
    return {
      path: path!,
      scripts: addressesOf(own.scripts.difference(frame.scripts)),
      styles: addressesOf(own.styles.difference(frame.styles)),
      needsSession: kind === 'screen',
    }
  })
}

function chunkOf(chunks: Chunk[], source: string): Chunk {
  const found = chunks.find(({ moduleIds }) => moduleIds.includes(source))
  if (found === undefined) throw new Error(`the build has no part for ${source}`)
  return found
}

function filesBelow(chunks: Chunk[], chunk: Chunk) {
  const scripts = new Set<string>()
  const styles = new Set<string>()
  function add({ fileName, imports, viteMetadata }: Chunk): void {
    if (scripts.has(fileName)) return
    scripts.add(fileName)
    // The style sheets of imported files come first, so that a file's own take precedence.
    for (const name of imports) add(chunks.find((each) => each.fileName === name)!)
    for (const name of viteMetadata?.importedCss ?? []) styles.add(name)
  }
  add(chunk)
  return { scripts, styles }
}

const addressesOf = (files: Set<string>) => [...files].map((file) => `/${file}`)
