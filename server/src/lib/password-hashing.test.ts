import { describe, expect, it } from 'vitest'
import { scryptHashing } from './password-hashing.ts'

const PASSWORD = 'mật khẩu của tiệm'

describe('a stored password', () => {
  it('is a salted hash, which only the password fits', async () => {
    const [one, two] = [await scryptHashing.hash(PASSWORD), await scryptHashing.hash(PASSWORD)]
    expect(one).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/)
    expect(two).not.toBe(one)
    expect(await scryptHashing.verify({ hash: one, password: PASSWORD })).toBe(true)
    expect(await scryptHashing.verify({ hash: one, password: `${PASSWORD} ` })).toBe(false)
  })

  it('costs whoever guesses it at least 20 ms of a processor a guess', async () => {
    const hash = await scryptHashing.hash(PASSWORD)
    const before = process.cpuUsage()
    await scryptHashing.verify({ hash, password: 'guessed' })
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeGreaterThan(20)
  })
})
