import { describe, expect, it } from 'vitest'
import { misspeltSettings } from './misspelt.ts'

describe('misspelt settings', () => {
  it('are variables that are named almost as a setting that is not set', () => {
    expect(
      misspeltSettings({
        DATABSE_URL: 'postgres://127.0.0.1/shop',
        RATE_LIMIT_PER_MINUTES: '5',
        PUBLIC_ULR: 'https://shop.example',
      }),
    ).toEqual([
      { name: 'DATABSE_URL', setting: 'DATABASE_URL' },
      { name: 'RATE_LIMIT_PER_MINUTES', setting: 'RATE_LIMIT_PER_MINUTE' },
      { name: 'PUBLIC_ULR', setting: 'PUBLIC_URL' },
    ])
  })

  it('are not settings themselves, what other programs use, or what stands beside the setting', () => {
    expect(
      misspeltSettings({
        DATABASE_URL: 'postgres://127.0.0.1/shop',
        DATABASE_URLS: 'postgres://127.0.0.1/other',
        TEST_DATABASE_URL: 'postgres://127.0.0.1/test',
        HOSTNAME: 'shop',
        HOME: '/root',
        PATH: '/usr/bin',
      }),
    ).toEqual([])
  })
})
