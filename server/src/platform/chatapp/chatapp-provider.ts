import { countValues } from '../../lib/json-values.ts'
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
/**
 * A body of more values is not read. The platform's events have about 20. Anybody may send one, and parsing 500,000 values, one
 * of them a long number, took 1 s.
 */
const MAX_VALUES = 5_000

export const CHATAPP: ProviderProtocol = {
  inbound: {
    eventName: (request) => {
      const { event_name: name, event } = fieldsOf(request)
      return asText(name) ?? asText(event)
    },
    isReadable: (request) => bodyOf(request).isReadable,
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

type Body = { fields: Fields; isReadable: boolean }

const read = new WeakMap<InboundRequest, Body>()

/** The event's fields; empty if the body is not a JSON object. */
function fieldsOf(request: InboundRequest): Fields {
  return bodyOf(request).fields
}

/** The body, parsed once per request; not readable if it is not JSON, or has too many values to be an event. */
function bodyOf(request: InboundRequest): Body {
  let body = read.get(request)
  if (body === undefined) {
    body = parsed(request.rawBody)
    read.set(request, body)
  }
  return body
}

function parsed(rawBody: Buffer): Body {
  if (countValues(rawBody) > MAX_VALUES) return { fields: {}, isReadable: false }
  try {
    return { fields: asRecord(parseWireJson(rawBody.toString())), isReadable: true }
  } catch {
    return { fields: {}, isReadable: false }
  }
}
