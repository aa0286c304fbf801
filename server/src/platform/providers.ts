import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { CHATAPP, createChatappProvider } from './chatapp/chatapp-provider.ts'
import { ESMS } from './esms/esms-inbound.ts'
import { openEsmsKeys, sealEsmsKeys } from './esms/esms-keys.ts'
import { createEsmsProvider } from './esms/esms-provider.ts'
import type {
  InboundSecret,
  MessageProvider,
  ProviderProtocol,
  TemplateProvider,
  TextContent,
} from './provider.ts'
import type { Platform } from './types.ts'

/** What the adapters of template providers need. */
export type ProviderParts = { platform: Platform; secrets: SecretBox }

/** The providers of template messages, by the code stored with an official account. */
const OF_TEMPLATES = {
  chatapp: createChatappProvider,
} satisfies Record<string, (parts: ProviderParts) => TemplateProvider>

/** What the adapters of plain-text providers need. */
export type TextProviderParts = { esmsUrl: string; timeoutMs: number; secrets: SecretBox }

/**
 * The keys of an SMS sender. The operator sets the first two; `reportKey` is ours, for the address of the provider's
 * reports.
 */
export type SenderKeys = { apiKey: string; secretKey: string; reportKey: string }

type OfTexts = {
  create(parts: TextProviderParts): MessageProvider<TextContent>
  protocol: ProviderProtocol
  /** Seals the keys for storage. */
  seal(secrets: SecretBox, keys: SenderKeys): Buffer
  /** The secret that proves a report's origin. @throws when the keys cannot be opened. */
  reportSecret(secrets: SecretBox, keys: Uint8Array): InboundSecret
}

/** The providers of plain text, by the code stored with an SMS sender. */
const OF_TEXTS = {
  esms: {
    create: createEsmsProvider,
    protocol: ESMS,
    seal: sealEsmsKeys,
    reportSecret: (secrets, keys) => ({ appId: undefined, secret: openEsmsKeys(secrets, keys).reportKey }),
  },
} satisfies Record<string, OfTexts>

export type TextProviderCode = keyof typeof OF_TEXTS

/** The codes of the providers of plain text. */
export const TEXT_PROVIDERS = Object.keys(OF_TEXTS) as TextProviderCode[]

/** The protocols of all providers, by code. */
export const PROTOCOLS = { chatapp: CHATAPP, esms: ESMS } satisfies Record<string, ProviderProtocol>

/**
 * The provider of an account's template messages.
 * @throws Error for a code that this version does not have; nothing has been sent then.
 */
export function templateProviderOf(parts: ProviderParts, code: string): TemplateProvider {
  if (!Object.hasOwn(OF_TEMPLATES, code))
    throw new Error(`no provider of template messages is called ${code}`)
  return OF_TEMPLATES[code as keyof typeof OF_TEMPLATES](parts)
}

/**
 * The provider of a sender's plain texts. @throws Error for a code that this version does not have; nothing has been
 * sent then.
 */
export function textProviderOf(parts: TextProviderParts, code: string): MessageProvider<TextContent> {
  return ofTexts(code).create(parts)
}

/** The protocol of a sender's provider. @throws Error as {@link textProviderOf} */
export function textProtocolOf(code: string): ProviderProtocol {
  return ofTexts(code).protocol
}

/** Seals a sender's keys. */
export function sealKeysOf(code: TextProviderCode, secrets: SecretBox, keys: SenderKeys): Buffer {
  return ofTexts(code).seal(secrets, keys)
}

/**
 * The secret that proves the origin of a sender's report. @throws Error for an unknown code, and when the keys cannot
 * be opened.
 */
export function reportSecretOf(code: string, secrets: SecretBox, keys: Uint8Array): InboundSecret {
  return ofTexts(code).reportSecret(secrets, keys)
}

function ofTexts(code: string): OfTexts {
  if (!Object.hasOwn(OF_TEXTS, code)) throw new Error(`no provider of plain text is called ${code}`)
  return OF_TEXTS[code as TextProviderCode]
}

/**
 * A sentence for staff about a provider's error number; no two providers share a number. Undefined for an unknown one.
 */
export function describeRefusal(code: number, language: 'vi' | 'en'): string | undefined {
  for (const { describe } of Object.values<ProviderProtocol>(PROTOCOLS)) {
    const text = describe(code, language)
    if (text !== undefined) return text
  }
  return undefined
}
