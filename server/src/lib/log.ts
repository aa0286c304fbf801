import type { FastifyBaseLogger } from 'fastify'

/** Where a part of the process reports to. */
export type Log = FastifyBaseLogger
