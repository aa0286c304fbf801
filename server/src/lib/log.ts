import type { FastifyBaseLogger } from 'fastify'

/** The log of a part of the process. */
export type Log = FastifyBaseLogger
