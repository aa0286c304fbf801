import type { SecretBox } from '../../lib/secrets/secret-box.ts'
import type { InboundRequest, ProviderProtocol, SendingAccount, TemplateProvider } from '../provider.ts'
import type { OaCredentials, Platform, PlatformOutcome } from '../types.ts'
import { classOfCode, describeCode } from './error-codes.ts'
import { accountsNamed, eventTimestamp, parseEvent, verifySignature } from './inbound.ts'
import { asRecord, asText, parseWireJson } from './wire.ts'

/** The messaging platform of the official accounts as a message provider, using its guarded calls. */
export function createChatappProvider({
  platform,
  secrets,
}: {
  platform: Pick<Platform, 'sendToPhone' | 'sendToUid' | 'messageStatus' | 'messageQuota'>
  secrets: SecretBox
}): TemplateProvider {
  async function withAccount<T>(
    { shopId, accountId, credentials }: SendingAccount,
    call: (oa: OaCredentials) => Promise<PlatformOutcome<T>>,
  ): Promise<PlatformOutcome<T>> {
    let oa: OaCredentials
    try {
      oa = { shopId, oaId: accountId, accessToken: accessTokenOf(secrets, accountId, credentials) }
    } catch {
      return { kind: 'unknown', cause: 'the access token could not be opened', surelyNotSent: true }
    }
    return call(oa)
  }

  return {
    // It is not confirmed that the platform drops repeated tracking ids, so we do not rely on it.
    dropsRepeats: false,
    send: (account, { to, content: { templateId, params }, trackingId, isSample }) =>
      withAccount(account, (oa) =>
        'userId' in to
          ? platform.sendToUid(oa, { userId: to.userId, templateId, params })
          : platform.sendToPhone(oa, {
              phone: to.phone,
              templateId,
              params,
              trackingId,
              development: isSample,
            }),
      ),
    messageStatus: (account, msgId) => withAccount(account, (oa) => platform.messageStatus(oa, msgId)),
    messageQuota: (account) => withAccount(account, (oa) => platform.messageQuota(oa)),
  }
}

/**
 * The access token of an official account, from its sealed column. An account linked without a token belongs to the
 * simulator's company; its token is derived from its id.
 */
export function accessTokenOf(secrets: SecretBox, oaId: string, sealed: Uint8Array | null): string {
  return sealed === null ? simulatorToken(oaId) : secrets.open(sealed)
}

/** The token that identifies an official account to the simulator. */
export function simulatorToken(oaId: string): string {
  return `sim:${oaId}`
}

const SIGNATURE = 'x-zevent-signature'

export const CHATAPP: ProviderProtocol = {
  inbound: {
    eventName: (request) => {
      const { event_name: name, event } = fieldsOf(request)
      return asText(name) ?? asText(event)
    },
    accountsNamed: (request) => accountsNamed(fieldsOf(request)),
    isSigned: (request) => request.header(SIGNATURE) !== undefined,
    isGenuine(request, { appId, secret }, accountIds) {
      const { rawBody } = request
      const header = request.header(SIGNATURE)
      const fields = fieldsOf(request)
      const timestamp = eventTimestamp(fields) ?? ''
      // The platform may use the app's id or the account's id as the signer; which one could not be confirmed.
      return [appId ?? asText(fields.app_id) ?? '', ...accountIds].some((signer) =>
        verifySignature({ signer, secret, rawBody, timestamp, header }),
      )
    },
    parse: parseEvent,
  },
  describe: (code, language) => (classOfCode(code) === 'other' ? undefined : describeCode(code, language)),
}

type Fields = Record<string, unknown>

const read = new WeakMap<InboundRequest, Fields>()

/** The event's fields, parsed once per request; empty if the body is not a JSON object. */
function fieldsOf(request: InboundRequest): Fields {
  let fields = read.get(request)
  if (fields === undefined) {
    try {
      fields = asRecord(parseWireJson(request.rawBody.toString()))
    } catch {
      fields = {}
    }
    read.set(request, fields)
  }
  return fields
}
