import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Limiters } from './limiters.ts'
import { countOne } from './rate-limit.ts'

const GUESSES_PER_MINUTE = 20
const HASHES_PER_MINUTE = 10
const PASSWORDS_PER_MINUTE = 10

/** What unauthenticated callers may try a minute. Each throws RateLimited, with `Retry-After`, when that was too much. */
export type GuessLimits = {
  /** Counts a link that nobody was given to the caller's address; a good link is never held to it. */
  countGuess(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts a signature that is not right to the caller's address; a good one is never held to it. */
  countSignature(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts the slow hash of a new password to the address: a good link asks for one or two. */
  countHash(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts a try of a signed-in person's own password. @returns what gives it back when it was right. */
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
