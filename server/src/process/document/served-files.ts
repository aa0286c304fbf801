import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The files of the folder `docs` that the service serves, as paths in it. The first is the one to read first. */
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
