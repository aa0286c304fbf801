import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Limiters } from './limiters.ts'
import { countOne } from './rate-limit.ts'

const GUESSES_PER_MINUTE = 20
const HASHES_PER_MINUTE = 10
const PASSWORDS_PER_MINUTE = 10

/** Limits on guessing, per minute. Each throws RateLimited, with `Retry-After`, when the limit is exceeded. */
export type GuessLimits = {
  /** Counts an unknown link against the caller's address; a valid link is never limited. */
  countGuess(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts a wrong signature against the caller's address; a valid one is never limited. */
  countSignature(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts the slow hash of a new password against the address: a valid link needs one or two. */
  countHash(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /**
   * Counts an attempt at a signed-in person's own password.
   * @returns a function that takes the count back when the password was right.
   */
  countPassword(userId: string, reply: FastifyReply): Promise<() => Promise<void>>
}

export function buildGuessLimits(limiters: Limiters): GuessLimits {
  const guesses = limiters.perMinute('link-guesses', GUESSES_PER_MINUTE)
  const signatures = limiters.perMinute('signature-failures', GUESSES_PER_MINUTE)
  const hashes = limiters.perMinute('password-hashes', HASHES_PER_MINUTE)
  const passwords = limiters.perMinute('password-tries', PASSWORDS_PER_MINUTE)
  return {
    countGuess: (request, reply) => countOne(guesses, request.ip, reply, 'Too many wrong links'),
    countSignature: (request, reply) => countOne(signatures, request.ip, reply, 'Too many wrong signatures'),
    countHash: (request, reply) => countOne(hashes, request.ip, reply, 'Too many new passwords'),
    async countPassword(userId, reply) {
      await countOne(passwords, userId, reply, 'Too many wrong passwords')
      return () => passwords.giveBack(userId)
    },
  }
}
