import { describe, expect, it } from 'vitest'
import { checkResponse } from './support/response-check.ts'
import { service } from './support/service.ts'

const { app } = await service()
const refused = (code: string) => ({ statusCode: 409, error: 'Conflict', message: 'No.', code })

describe('every JSON response that a test sees is held to the API document', () => {
  const url = '/api/external/v1/orders/0123456789abcdef01234567/status'
  const check = (status: number, body: object) => () => checkResponse(app, 'PATCH', url, status, body)

  it('takes a code that the document lists for the operation', () => {
    expect(check(409, refused('ORDER_NOT_CANCELLABLE'))).not.toThrow()
  })

  it('refuses a code that it lists for others only', () => {
    expect(check(409, refused('OA_IN_USE'))).toThrow('code must be equal to one of the allowed values')
  })

  it('refuses a status that it does not list', () => {
    expect(check(418, { statusCode: 418, error: 'x', message: 'x' })).toThrow('the status is not listed')
  })

  it('refuses a field of an error that it does not know', () => {
    expect(check(404, { error: 'Resource not found', message: 'x', cause: 'x' })).toThrow(
      'additional properties',
    )
  })

  it('refuses a field that a named record does not have', () => {
    const body = { balance: 1, held: 0, currency: 'VND' }
    const answered = () => checkResponse(app, 'GET', '/api/external/wallet', 200, body)
    expect(answered).toThrow('must NOT have additional properties {"additionalProperty":"currency"}')
  })
})
