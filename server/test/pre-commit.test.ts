import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const WELL_FORMATTED = 'export const a = { b: 1 }\n'
const UGLY = 'export const a = {b:1};\n'
const LINT_ERROR = 'export const a: any = { b: 1 }\n'

let folder = ''
const folders: string[] = []

function env(more: Record<string, string> = {}) {
  const { CI: _, ...rest } = process.env
  const own = Object.entries(rest).filter(([name]) => !name.startsWith('GIT_'))
  return { ...Object.fromEntries(own), ...more }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, env: env({ CI: '1' }) }).toString()
}

function commit(more: Record<string, string> = {}) {
  const { status, stderr } = spawnSync('git', ['commit', '-qm', 'x'], { cwd: folder, env: env(more) })
  return { isMade: status === 0, says: stderr.toString() }
}

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text)
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pre-commit-'))
  folders.push(folder)
  cpSync(join(ROOT, '.githooks'), join(folder, '.githooks'), { recursive: true })
  copyFileSync(join(ROOT, 'biome.json'), join(folder, 'biome.json'))
  copyFileSync(join(ROOT, '.gitignore'), join(folder, '.gitignore'))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  git('init', '-q')
  for (const [name, value] of [
    ['user.name', 'Test'],
    ['user.email', 'test@shop.example'],
    ['core.hooksPath', '.githooks'],
  ] as const) {
    git('config', name, value)
  }
  git('add', '.githooks', 'biome.json', '.gitignore')
  git('commit', '-qm', 'start')
})

afterAll(() => {
  for (const one of folders) rmSync(one, { recursive: true, force: true })
})

describe('the pre-commit hook', () => {
  it('formats what is staged, also under names with spaces and accents, and leaves other files alone', () => {
    write('Tết vui.ts', UGLY)
    write('note.txt', 'x')
    git('add', 'Tết vui.ts', 'note.txt')
    write('later.ts', UGLY)
    expect(commit().isMade).toBe(true)
    expect(git('show', 'HEAD:Tết vui.ts')).toBe(WELL_FORMATTED)
    expect(readFileSync(join(folder, 'later.ts'), 'utf8')).toBe(UGLY)
  })

  it('refuses what the linter refuses', () => {
    write('a.ts', LINT_ERROR)
    git('add', 'a.ts')
    const { isMade, says } = commit()
    expect([isMade, says]).toEqual([false, expect.stringContaining('noExplicitAny')])
  })

  it('judges a file that is staged in parts by what is staged, and stages nothing more of it', () => {
    write('a.ts', WELL_FORMATTED)
    git('add', 'a.ts')
    write('a.ts', `${WELL_FORMATTED}${UGLY}`)
    expect(commit().isMade).toBe(true)
    expect(git('show', 'HEAD:a.ts')).toBe(WELL_FORMATTED)
    expect(readFileSync(join(folder, 'a.ts'), 'utf8')).toBe(`${WELL_FORMATTED}${UGLY}`)

    write('a.ts', LINT_ERROR)
    git('add', 'a.ts')
    write('a.ts', WELL_FORMATTED)
    const { isMade, says } = commit()
    expect([isMade, says]).toEqual([false, expect.stringContaining('staged in parts')])
  })

  it('does nothing in CI', () => {
    write('a.ts', UGLY)
    git('add', 'a.ts')
    expect(commit({ CI: '1' }).isMade).toBe(true)
    expect(git('show', 'HEAD:a.ts')).toBe(UGLY)
  })
})
