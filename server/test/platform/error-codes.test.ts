import { describe, expect, it } from 'vitest'
import { classOfCode, describeCode, retryTime } from '../../src/platform/chatapp/error-codes.ts'

const TABLE: [string, number[]][] = [
  ['auth', [-124, -216, -220]],
  ['configuration', [-101, -102, -103, -104, -105, -117, -120, -125, -135, -1351, -136, -138, -1201, -145]],
  ['platform-money', [-115, -137, -321, -320, -126]],
  [
    'payload',
    [-201, -108, -109, -111, -112, -1121, -1122, -1124, -113, -1131, -116, -121, -122, -130, -132, -153],
  ],
  ['recipient', [-110, -114, -118, -119, -139, -140, -141, -213, -217, -218, -227, -244]],
  ['template', [-131, -146, -1091, -127, -249]],
  ['later', [-133, -234, -144, -1441, -147, -1471, -1472]],
  ['transient', [-100, -32, -211]],
]

describe('platform error numbers', () => {
  it.each(TABLE)(
    '%s holds its numbers, each with its own sentence in both languages',
    (rejectClass, codes) => {
      for (const code of codes) {
        expect([code, classOfCode(code)]).toEqual([code, rejectClass])
        expect(describeCode(code, 'vi')).not.toContain(String(code))
        expect(describeCode(code, 'en')).not.toContain(String(code))
        expect(describeCode(code, 'vi')).not.toBe(describeCode(code, 'en'))
      }
    },
  )

  it('an unknown number is other and named in the sentence', () => {
    expect(classOfCode(-4242)).toBe('other')
    expect(describeCode(-4242, 'vi')).toContain('-4242')
    expect(describeCode(-4242, 'en')).toContain('-4242')
  })
})

describe('when a refused message may go again', () => {
  it.each([
    ['before midnight: the coming morning', -133, '2026-03-01T16:59:00Z', '2026-03-01T23:00:00Z'],
    ['after midnight: the same morning', -234, '2026-03-01T17:01:00Z', '2026-03-01T23:00:00Z'],
    ['day quota: midnight in Vietnam', -144, '2026-03-01T03:00:00Z', '2026-03-01T17:00:00Z'],
    ['day quota at the end of a month', -147, '2026-03-31T16:00:00Z', '2026-03-31T17:00:00Z'],
    ['month quota: the first in Vietnam', -1441, '2026-12-15T03:00:00Z', '2026-12-31T17:00:00Z'],
    ['06:00 has just passed', -133, '2026-03-01T23:00:00.020Z', '2026-03-01T23:01:00.020Z'],
    ['exactly 06:00', -234, '2026-03-01T23:00:00Z', '2026-03-01T23:01:00Z'],
    ['midnight has just passed', -144, '2026-03-01T17:00:00.020Z', '2026-03-01T17:01:00.020Z'],
    ['a template’s day has just ended', -1471, '2026-03-01T17:04:59Z', '2026-03-01T17:05:59Z'],
    ['a recipient’s day has just ended', -1472, '2026-03-01T17:00:00.020Z', '2026-03-01T17:01:00.020Z'],
    ['the first has just begun', -1441, '2026-11-30T17:00:00.020Z', '2026-11-30T17:01:00.020Z'],
    ['midnight passed five minutes ago', -144, '2026-03-01T17:05:00Z', '2026-03-02T17:00:00Z'],
    ['midnight of another day has just passed', -1441, '2026-12-15T17:00:01Z', '2026-12-31T17:00:00Z'],
    ['midnight is not the morning', -133, '2026-03-01T17:00:00.020Z', '2026-03-01T23:00:00Z'],
    ['rate: a minute on', -32, '2026-03-01T03:00:00Z', '2026-03-01T03:01:00Z'],
  ])('%s', (_name, code, now, expected) => {
    expect(retryTime(code, new Date(now))?.toISOString()).toBe(new Date(expected).toISOString())
  })

  it('gives no time where waiting does not help', () => {
    expect(retryTime(-118, new Date())).toBeUndefined()
    expect(retryTime(-100, new Date())).toBeUndefined()
  })
})
