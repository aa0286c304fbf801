import type { ReceiptEvent, TemplateStandingEvent, TemplateStatusEvent } from './chatapp/inbound.ts'
import type { AcceptedMessage, PlatformMessageStatus, PlatformOutcome } from './types.ts'

/**
 * The account that a message is sent from. `credentials` are sealed as its row has them: only its provider opens them and
 * knows what they are. Null: it was linked without.
 */
export type SendingAccount = { shopId: string; accountId: string; credentials: Uint8Array | null }

export type Recipient = { phone: string } | { userId: string }

/** What a provider of template messages sends: values for a template that it has approved. */
export type TemplateContent = {
  kind: 'template'
  /** The provider's number, not ours. */
  templateId: string
  params: Record<string, string>
}

/** What a provider of plain text sends. */
export type TextContent = { kind: 'text'; text: string }

/** A message to hand over. */
export type ProviderMessage<Content> = {
  to: Recipient
  content: Content
  /** Our message id, at most 48 characters. */
  trackingId: string
  /** A trial that costs nothing and reaches only the account's own people, where the provider has that (G-23). */
  isSample: boolean
  /** Where the provider is to report what became of it, if it takes an address with each message: it adds what proves it. */
  reportTo?: string
}

/** A request that came to an address of ours in a provider's name. */
export type InboundRequest = {
  /** Its body; of one that has none, its query. */
  rawBody: Buffer
  /** The secret part of the address that it came to, for a provider that signs nothing. */
  addressKey?: string
  /** The value of a header, its name in lower case; undefined when it was not sent once. */
  header(name: string): string | undefined
}

/** What proves a request: a secret, and whose it is. An app of undefined: the one that the request names. */
export type InboundSecret = { appId: string | undefined; secret: string }

/** What the provider accepted will not arrive: it reports so some time after it accepted it. */
export type FailureEvent = {
  kind: 'failure'
  accountId?: string
  msgId?: string
  trackingId?: string
  cause: string
}

/** Anything that is not acted on. */
export type IgnoredEvent = { kind: 'other'; name: string; oaId?: string }

export type ProviderEvent =
  | ReceiptEvent
  | FailureEvent
  | TemplateStatusEvent
  | TemplateStandingEvent
  | IgnoredEvent

/** What comes from a provider by itself. Nothing here throws, whatever came. */
export interface Inbound {
  /** What the request calls itself; undefined when it names no event, as when the provider only looks whether we answer. */
  eventName(request: InboundRequest): string | undefined
  /** The accounts that it may be of, the likeliest first; empty when it names none. */
  accountsNamed(request: InboundRequest): string[]
  /** Whether it carries a proof at all, good or not. */
  isSigned(request: InboundRequest): boolean
  /** Whether it proves that the provider sent it for one of the accounts. */
  isGenuine(request: InboundRequest, secret: InboundSecret, accountIds: readonly string[]): boolean
  /** Its content, from its text as received. `receivedAt` stands in for a time that it does not carry. */
  parse(text: string, receivedAt: Date): ProviderEvent
}

/** What is known of a provider's protocol without its accounts and addresses. */
export type ProviderProtocol = {
  inbound: Inbound
  /** A sentence for staff on one of the provider's error numbers; undefined for one that it does not have. */
  describe(code: number, language: 'vi' | 'en'): string | undefined
}

/** A provider of messages. No call throws for what the network or the provider does: see {@link PlatformOutcome}. */
export interface MessageProvider<Content> {
  /** Whether a message handed over again under its tracking id is never sent twice: then a lost answer can be asked for again. */
  dropsRepeats: boolean
  /** `msgId` is '' when it had the message already and does not say under which id. */
  send(account: SendingAccount, message: ProviderMessage<Content>): Promise<PlatformOutcome<AcceptedMessage>>
  /** What became of a message that it accepted. */
  messageStatus(account: SendingAccount, msgId: string): Promise<PlatformOutcome<PlatformMessageStatus>>
}
