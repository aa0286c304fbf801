import { describe, expect, it } from 'vitest'
import { Refused, ValidationError } from '../../errors.ts'
import {
  feeOf,
  maskedParams,
  paramValues,
  type SendableTemplate,
  type SendRequest,
  sendableMessage,
} from './rules.ts'

const declared = [
  { key: 'customer_name', label: 'Tên khách', techSetting: '1', maxLength: 30, sampleValue: 'Nguyễn An' },
  { key: 'otp', label: 'Mã OTP', techSetting: '12' },
]

function buildTemplate(overrides: Partial<SendableTemplate> = {}): SendableTemplate {
  return {
    id: 'a'.repeat(24),
    version: 0,
    status: 'ENABLE',
    oaId: 'oa',
    isOaLinked: true,
    platformTemplateId: '200001',
    params: declared,
    pricePhone: 200,
    priceUid: 55,
    ...overrides,
  }
}

function buildRequest(overrides: Partial<SendRequest> = {}): SendRequest {
  return {
    templateId: 'a'.repeat(24),
    channel: 'phone',
    phone: '84901234567',
    userUid: '',
    isSample: false,
    params: { customer_name: 'An', otp: '123456' },
    paramsPath: ['params'],
    ...overrides,
  }
}

function problemOf(run: () => unknown): { path: (string | number)[]; message: string } {
  try {
    run()
  } catch (error) {
    if (error instanceof ValidationError) return error.problems[0]!
    throw error
  }
  throw new Error('nothing was thrown')
}

function refusalOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof Refused) return error.code
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('G-21 values', () => {
  it('numbers become strings, in the order of the template', () => {
    const values = paramValues(declared, buildRequest({ params: { otp: 123456, customer_name: 'An' } }))
    expect(Object.entries(values)).toEqual([
      ['customer_name', 'An'],
      ['otp', '123456'],
    ])
  })

  it('a missing one is named where the caller wrote it', () => {
    const request = buildRequest({ params: { customer_name: 'An' }, paramsPath: ['templateData'] })
    expect(problemOf(() => paramValues(declared, request))).toEqual({
      path: ['templateData', 'otp'],
      rule: 'any.required',
      values: {},
      message: '"templateData.otp" is required',
    })
  })

  it.each(['', '  ', '\u200b'])('a blank one, %j, is refused; a sample gets the sample value', (blank) => {
    const request = buildRequest({ params: { customer_name: 'An', otp: blank } })
    expect(problemOf(() => paramValues(declared, request))).toMatchObject({
      path: ['params', 'otp'],
      rule: 'string.empty',
      message: '"params.otp" is not allowed to be empty',
    })
    const sample = paramValues(declared, { ...request, isSample: true })
    expect(sample.otp).toBe(paramValues(declared, buildRequest({ params: {}, isSample: true })).otp)
  })

  it.each(['extra', 'toString', 'constructor'])('an undeclared %s is refused', (key) => {
    const request = buildRequest({ params: { customer_name: 'An', otp: '1', [key]: 'x' } })
    expect(problemOf(() => paramValues(declared, request)).message).toBe(`"params.${key}" is not allowed`)
  })

  it('a declared key that an object inherits must still be given', () => {
    const problem = problemOf(() =>
      paramValues([{ key: 'toString', label: 'x' }], buildRequest({ params: {} })),
    )
    expect(problem.message).toBe('"params.toString" is required')
  })

  it('length counts code points after NFC: 30 letters typed as base and mark fit, 31 do not', () => {
    const nfd = 'ế'.normalize('NFD')
    const values = paramValues(
      declared,
      buildRequest({ params: { customer_name: nfd.repeat(30), otp: '1' } }),
    )
    expect(values.customer_name).toBe('ế'.repeat(30))
    expect(
      paramValues(declared, buildRequest({ params: { customer_name: '😀'.repeat(30), otp: '1' } })),
    ).toBeTruthy()
    const tooLong = buildRequest({ params: { customer_name: nfd.repeat(31), otp: '1' } })
    expect(problemOf(() => paramValues(declared, tooLong))).toEqual({
      path: ['params', 'customer_name'],
      rule: 'string.max',
      values: { limit: 30 },
      message: '"params.customer_name" length must be less than or equal to 30 characters long',
    })
  })

  it('without maxLength the technical type limits the value', () => {
    const request = buildRequest({ params: { customer_name: 'An', otp: '12345678901' } })
    expect(problemOf(() => paramValues(declared, request)).path).toEqual(['params', 'otp'])
  })

  it('a key typed in NFD is the declared one', () => {
    const key = 'mã'
    const values = paramValues(
      [{ key, label: 'Mã' }],
      buildRequest({ params: { [key.normalize('NFD')]: 'x' } }),
    )
    expect(values).toEqual({ [key.normalize('NFC')]: 'x' })
  })

  it('a fixed one is neither asked for nor taken nor sent', () => {
    const fixed = [...declared, { key: 'hotline', label: 'Hotline', isFixed: true }]
    expect(paramValues(fixed, buildRequest())).not.toHaveProperty('hotline')
    const request = buildRequest({ params: { customer_name: 'An', otp: '1', hotline: '1900' } })
    expect(problemOf(() => paramValues(fixed, request)).path).toEqual(['params', 'hotline'])
  })
})

describe('G-23 what may be sent', () => {
  it.each(['DRAFT', 'PENDING_REVIEW', 'DISABLE', 'REJECTED'] as const)(
    'a template in %s is not sendable',
    (status) => {
      expect(refusalOf(() => sendableMessage(buildTemplate({ status }), buildRequest()))).toBe(
        'TEMPLATE_NOT_SENDABLE',
      )
    },
  )

  it('a sample is free, may be under review, and takes sample values cut to what fits', () => {
    const template = buildTemplate({
      status: 'PENDING_REVIEW',
      pricePhone: null,
      params: [...declared, { key: 'gender', label: 'Anh hoặc chị', techSetting: '8' }],
    })
    const sample = sendableMessage(template, buildRequest({ isSample: true, params: { otp: '9' } }))
    expect(sample).toEqual({
      platformTemplateId: '200001',
      fee: 0,
      params: { customer_name: 'Nguyễn An', otp: '9', gender: 'Anh h' },
    })
  })

  it('a template that the platform has no number for is not sendable, not even as a sample', () => {
    const template = buildTemplate({ status: 'PENDING_REVIEW', platformTemplateId: null })
    expect(refusalOf(() => sendableMessage(template, buildRequest({ isSample: true })))).toBe(
      'TEMPLATE_NOT_SENDABLE',
    )
  })
})

describe('G-26 fee', () => {
  it('is the price of the channel; 0 is a price, null is not', () => {
    const template = buildTemplate({ priceUid: 0 })
    expect(feeOf(template, buildRequest())).toBe(200)
    expect(feeOf(template, buildRequest({ channel: 'uid' }))).toBe(0)
    expect(refusalOf(() => feeOf(buildTemplate({ priceUid: null }), buildRequest({ channel: 'uid' })))).toBe(
      'UID_NOT_PRICED',
    )
    expect(refusalOf(() => feeOf(buildTemplate({ pricePhone: null }), buildRequest()))).toBe(
      'PHONE_NOT_PRICED',
    )
  })
})

describe('G-25 secrets', () => {
  it('an OTP is masked by its technical type, whatever its name', () => {
    expect(maskedParams(declared, { customer_name: 'An', otp: '123456' })).toEqual({
      customer_name: 'An',
      otp: '***',
    })
  })
})
