/** The platform's refusal: a negative number and a text, in an HTTP 200 response. */
export class Refusal extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.name = 'Refusal'
    this.code = code
  }
}

export function success(data: unknown): { error: 0; message: string; data: unknown } {
  return { error: 0, message: 'Success', data }
}
