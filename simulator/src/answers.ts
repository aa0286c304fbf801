/** The platform's refusal: a number below zero and a text, answered with HTTP 200. */
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
