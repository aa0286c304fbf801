import { setTimeout as pause } from 'node:timers/promises'
import type { Deps } from '../../../deps.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { AcceptedMessage, PlatformOutcome } from '../../../platform/types.ts'
import { accessTokenOf } from '../../official-accounts/tokens/stored-tokens.ts'
import type { Outgoing } from '../outgoing.ts'

/**
 * Sends a message to the platform. A call that definitely never left is repeated, twice at most; any other is not,
 * since that could send the message twice. Never throws.
 */
export async function callPlatformWithRetries(
  deps: Deps,
  shopId: ObjectId,
  message: Outgoing,
): Promise<PlatformOutcome<AcceptedMessage>> {
  for (const pauseMs of deps.timings.messageCallPausesMs) {
    const outcome = await callPlatform(deps, shopId, message)
    if (outcome.kind !== 'unknown' || !outcome.surelyNotSent) return outcome
    await pause(pauseMs)
  }
  return callPlatform(deps, shopId, message)
}

/** Sends a message to the platform in one call, with its id as the tracking id. Never throws. */
export async function callPlatform(
  { platform, secrets, log }: Deps,
  shopId: ObjectId,
  message: Outgoing,
): Promise<PlatformOutcome<AcceptedMessage>> {
  const { params, platformTemplateId: templateId } = message
  const { oaId } = message.template
  let isCalled = false
  try {
    const oa = { shopId, oaId, accessToken: accessTokenOf(secrets, oaId, message.accessToken) }
    isCalled = true
    if (message.channel === 'uid') {
      return await platform.sendToUid(oa, { userId: message.userUid, templateId, params })
    }
    return await platform.sendToPhone(oa, {
      phone: message.phone,
      templateId,
      params,
      trackingId: message.id,
      development: message.isSample,
    })
  } catch (error) {
    log.error({ err: error, messageId: message.id }, 'the platform call broke')
    return { kind: 'unknown', cause: 'the call broke', surelyNotSent: !isCalled }
  }
}
