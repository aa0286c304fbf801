import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeFolder } from './make-folder.ts'

const base = mkdtempSync(join(tmpdir(), 'shopbell-folder-'))
afterAll(() => rmSync(base, { recursive: true }))

describe('a new folder', () => {
  it('is created with those above it, which are named innermost first, and only once', () => {
    const path = join(base, 'a', 'b')
    expect(makeFolder(path)).toEqual([path, join(base, 'a')])
    expect(makeFolder(path)).toEqual([])
    expect(existsSync(path)).toBe(true)
  })

  it('fails in place of a file and below one', () => {
    writeFileSync(join(base, 'file'), '')
    expect(() => makeFolder(join(base, 'file'))).toThrow('EEXIST')
    expect(() => makeFolder(join(base, 'file', 'x'))).toThrow('EEXIST')
  })

  it.runIf(existsSync('/proc/self'))('fails where the system lets nobody create one, as in /proc', () => {
    expect(() => makeFolder('/proc/shopbell/x')).toThrow('ENOENT')
  })
})
