import { describe, expect, it } from 'vitest'
import { type Condition, comparableName, memberValues, storedConditions, testsOf } from './rules.ts'

const testOf = (condition: Condition, now: string) =>
  testsOf({ match: 'all', conditions: [condition] }, new Date(now))[0]
const daysOf = (condition: Omit<Condition, 'kind'>, now: string) =>
  (testOf({ kind: 'birthday', ...condition }, now) as { days: string[] }).days

describe('G-119 conditions of an audience', () => {
  it('throws on a field of another kind, two that exclude each other, a missing one and an invalid day', () => {
    const wrong: [Condition, string][] = [
      [{ kind: 'debt', atLeast: 1, days: 3 }, '"conditions[0].days" is not allowed'],
      [{ kind: 'birthday', productIds: [] }, '"conditions[0].productIds" is not allowed'],
      [{ kind: 'bought', days: 3, since: '2026-11-01' }, '"conditions[0]" contains a conflict'],
      [{ kind: 'birthday', days: 3, month: 2 }, '"conditions[0]" contains a conflict'],
      [{ kind: 'birthday' }, '"conditions[0]" must contain at least one of'],
      [{ kind: 'debt' }, '"conditions[0]" must contain at least one of'],
      [{ kind: 'notBought', since: '2026-02-30' }, '"conditions[0].since" must be in ISO 8601'],
    ]
    for (const [condition, message] of wrong) expect(() => storedConditions([condition])).toThrow(message)
    expect(storedConditions([{ kind: 'bought', productIds: ['A'.repeat(24)] }])).toEqual([
      { kind: 'bought', productIds: ['a'.repeat(24)] },
    ])
  })

  it('counts days in the shops’ zone, today included', () => {
    // Already 25 November in Việt Nam.
    const now = '2026-11-24T18:00:00Z'
    expect(testOf({ kind: 'bought', days: 1 }, now)).toMatchObject({ from: new Date('2026-11-24T17:00:00Z') })
    expect(testOf({ kind: 'notBought', days: 30 }, now)).toMatchObject({
      hasSome: false,
      from: new Date('2026-10-26T17:00:00Z'),
    })
    expect(testOf({ kind: 'bought', since: '2026-11-01' }, now)).toMatchObject({
      from: new Date('2026-10-31T17:00:00Z'),
    })
    expect(testOf({ kind: 'bought' }, now)).toMatchObject({ hasSome: true, from: undefined })
    expect(daysOf({ days: 0 }, now)).toEqual(['11-25'])
  })

  it('has birthdays over the end of a year, and those of 29 February on the 28th of other years', () => {
    expect(daysOf({ days: 2 }, '2026-12-31T01:00:00Z')).toEqual(['12-31', '01-01', '01-02'])
    expect(daysOf({ days: 0 }, '2027-02-28T01:00:00Z')).toEqual(['02-28', '02-29'])
    expect(daysOf({ days: 0 }, '2028-02-28T01:00:00Z')).toEqual(['02-28'])
    expect(daysOf({ days: 1 }, '2028-02-28T01:00:00Z')).toEqual(['02-28', '02-29'])
    expect(daysOf({ month: 2 }, '2027-01-01T01:00:00Z')).toHaveLength(29)
  })

  it('writes values as shops do, and leaves empty what is not known', () => {
    const member = { id: 'x', fullName: 'Lan', phone: '84912345678', birthday: '1990-11-24', debt: 1_250_000 }
    const lastOrder = { code: 'DH12', day: '2026-11-02', price: 900 }
    expect(memberValues({ ...member, lastOrder })).toEqual({
      fullName: 'Lan',
      phone: '0912345678',
      birthday: '24/11/1990',
      lastOrderCode: 'DH12',
      lastOrderDate: '02/11/2026',
      lastOrderPrice: '900đ',
      debt: '1.250.000đ',
    })
    expect(
      memberValues({ ...member, phone: '12025550123', birthday: null, lastOrder: null, debt: 0 }),
    ).toMatchObject({
      phone: '+12025550123',
      birthday: '',
      lastOrderCode: '',
      lastOrderDate: '',
      lastOrderPrice: '',
      debt: '0đ',
    })
  })

  it('compares names without accents and case, and throws on a blank one', () => {
    expect(comparableName('  Khách Quen ')).toEqual({ name: 'Khách Quen', foldedName: 'khach quen' })
    expect(() => comparableName(' ')).toThrow('"name"')
  })
})
