import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** What the service shows of the folder `docs`, as paths within it. The first is where a reader begins. */
export function servedFiles(folder: string): string[] {
  const reference = readdirSync(join(folder, 'reference'))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .toSorted()
  return [
    'guide.md',
    'topics.md',
    'errors.md',
    'glossary.md',
    ...['README.md', ...reference].map((name) => `reference/${name}`),
    'guide/template.json',
  ]
}
