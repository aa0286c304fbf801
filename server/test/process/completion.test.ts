import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { run } from '../support/process.ts'

describe('shopbell completion', () => {
  it('bash completes commands and their options, wherever global options appear, and leaves files to itself', async () => {
    const { code, out, err } = await run(['completion', 'bash'], {})
    expect([code, err]).toEqual([0, ''])
    const complete = (...words: string[]) => {
      const set = `COMP_WORDS=(shopbell ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}`
      const answer = execFileSync('bash', ['-c', `${out}${set}; _shopbell; echo "\${COMPREPLY[*]}"`])
      return answer.toString().trim()
    }
    expect(complete('sh')).toBe('shop')
    expect(complete('shop', 'de')).toBe('delete')
    expect(complete('--json', 'platform', 'bill', 'com')).toBe('compare')
    expect(complete('serve', '--p')).toBe('--processes')
    expect(complete('shop', 'export', 'an-id', 'tiem')).toBe('')
    expect(complete('completion', '--')).toBe('--help')
  })

  it('another shell is refused with the names of the supported ones', async () => {
    const { code, err } = await run(['completion', 'fish'], {})
    expect([code, err]).toEqual([1, expect.stringContaining('Allowed choices are bash, zsh')])
  })
})
