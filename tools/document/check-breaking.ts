import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { breakingChanges, unannounced } from './breaking-changes.ts'

/** Fails if the API document breaks that of the last tag without a `- Breaking:` entry in CHANGELOG.md. */
const tag = git('tag', '--merged', 'HEAD', '--sort=-creatordate').split('\n')[0]!
if (tag === '') {
  process.stdout.write('no tag to compare the API document with\n')
} else {
  const changes = breakingChanges(
    JSON.parse(git('show', `${tag}:docs/openapi.json`)),
    JSON.parse(readFileSync('docs/openapi.json', 'utf8')),
  )
  const left = unannounced(changes, readFileSync('CHANGELOG.md', 'utf8'))
  for (const { operation, what } of left) process.stderr.write(`${operation}: ${what}\n`)
  process.stdout.write(
    `since ${tag}: ${changes.length} breaking changes, ${left.length} not in CHANGELOG.md\n`,
  )
  if (left.length > 0) process.exitCode = 1
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 })
}
