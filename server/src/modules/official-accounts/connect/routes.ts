import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from '../../../deps.ts'
import { Unauthorized } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { operatorOriginOf } from '../../audit/origin.ts'
import { existingShop } from '../../shops/existing-shop.ts'
import { presentOfficialAccount } from '../present.ts'
import { officialAccountRecord } from '../schema.ts'
import { finishConnecting } from './finish-connecting.ts'
import { connectAnswer, connectBody, finishConnectBody } from './schema.ts'
import { startConnecting } from './start-connecting.ts'

const tags = ['Management']

/**
 * Connecting an official account through the platform's consent page (G-72); the caller has been authenticated as the operator or
 * an owner of the shop. Only the session that began a connection can finish it, so the operator's token cannot be used.
 */
export function connectRoutes(app: App, deps: Deps): void {
  app.post(
    '/api/manage/v1/shops/:id/official-accounts/connect',
    {
      schema: {
        tags,
        operationId: 'connectShopOfficialAccount',
        summary: 'Start connecting an official account: returns the address of the platform’s consent page',
        body: connectBody,
        errors: ['NO_PLATFORM_APP'],
        response: { 201: connectAnswer },
      },
    },
    async (request, reply) => {
      const shopId = await existingShop(deps.db, request.params)
      const sessionToken = sessionOf(request)
      const { address, expiresAt } = await startConnecting(deps, shopId, {
        appId: request.body.appId,
        sessionToken,
        ownAddress: ownAddress(request, deps.config.publicUrl),
      })
      return reply.code(201).send({ data: { address, expiresAt: expiresAt.toISOString() } })
    },
  )

  app.post(
    '/api/manage/v1/shops/:id/official-accounts/connect/finish',
    {
      schema: {
        tags,
        operationId: 'finishConnectingShopOfficialAccount',
        summary: 'Link the official account whose owner came back from the consent page, in the same session',
        body: finishConnectBody,
        errors: ['CONNECT_EXPIRED', 'CONNECT_REFUSED', 'OA_LINKED_ELSEWHERE', 'NO_PLATFORM_APP', 503],
        response: { 200: Type.Object({ data: officialAccountRecord }) },
      },
    },
    async (request) => {
      const shopId = await existingShop(deps.db, request.params)
      const sessionToken = sessionOf(request)
      const { code, state, oaId } = request.body
      const came = { code, state, oaId, sessionToken }
      const row = await finishConnecting(deps, shopId, came, operatorOriginOf(request))
      return { data: presentOfficialAccount(row) }
    },
  )
}

function sessionOf({ sessionToken }: FastifyRequest): string {
  if (sessionToken === undefined) throw new Unauthorized('session')
  return sessionToken
}

/** A page of this service has made the request, so its origin is the address at which the browser finds this service. */
function ownAddress({ headers, protocol, host }: FastifyRequest, publicUrl: string | undefined): string {
  return publicUrl ?? headers.origin ?? `${protocol}://${host}`
}
