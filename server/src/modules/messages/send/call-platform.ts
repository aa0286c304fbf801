import { setTimeout as pause } from 'node:timers/promises'
import type { Deps } from '../../../deps.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { templateProviderOf } from '../../../platform/providers.ts'
import type { AcceptedMessage, PlatformOutcome } from '../../../platform/types.ts'
import type { Outgoing } from '../outgoing.ts'

/**
 * Sends a message to the platform. A call that definitely never left is repeated, at most twice; any other is not, since that
 * could send the message twice. Neither is one that took as long as a time-out, such as for renewing a token: the message's
 * lease and its caller's patience would end before the repetitions. Never throws.
 */
export async function callPlatformWithRetries(
  deps: Deps,
  shopId: ObjectId,
  message: Outgoing,
): Promise<PlatformOutcome<AcceptedMessage>> {
  const startedAt = performance.now()
  for (const pauseMs of deps.timings.messageCallPausesMs) {
    const outcome = await callPlatform(deps, shopId, message)
    if (outcome.kind !== 'unknown' || !outcome.surelyNotSent) return outcome
    if (performance.now() - startedAt >= deps.timings.platformTimeoutMs) return outcome
    await pause(pauseMs)
  }
  return callPlatform(deps, shopId, message)
}

/** Sends a message through its account's provider in one call, with its id as the tracking id. Never throws. */
export async function callPlatform(
  deps: Deps,
  shopId: ObjectId,
  message: Outgoing,
): Promise<PlatformOutcome<AcceptedMessage>> {
  const { id, channel, phone, userUid, params, isSample, platformTemplateId: templateId } = message
  const { provider, credentials } = message.account
  const account = { shopId, accountId: message.template.oaId, credentials }
  let isCalled = false
  try {
    const carrier = templateProviderOf(deps, provider)
    isCalled = true
    return await carrier.send(account, {
      to: channel === 'uid' ? { userId: userUid } : { phone },
      content: { kind: 'template', templateId, params },
      trackingId: id,
      isSample,
    })
  } catch (error) {
    deps.log.error({ err: error, messageId: id }, 'the call to the provider failed')
    return { kind: 'unknown', cause: 'the call broke', surelyNotSent: !isCalled }
  }
}
