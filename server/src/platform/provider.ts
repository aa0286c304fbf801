import type { ReceiptEvent, TemplateStandingEvent, TemplateStatusEvent } from './chatapp/inbound.ts'
import type { AcceptedMessage, DayQuota, PlatformMessageStatus, PlatformOutcome } from './types.ts'

/**
 * The account that a message is sent from. `credentials` are sealed, as stored: only its provider opens and understands
 * them. Null: the account was linked without credentials.
 */
export type SendingAccount = { shopId: string; accountId: string; credentials: Uint8Array | null }

export type Recipient = { phone: string } | { userId: string }

/** The content for a provider of template messages: values for a template that the provider has approved. */
export type TemplateContent = {
  kind: 'template'
  /** The provider's number, not ours. */
  templateId: string
  params: Record<string, string>
}

/** The content for a provider of plain text. */
export type TextContent = { kind: 'text'; text: string }

/** A message to hand over. */
export type ProviderMessage<Content> = {
  to: Recipient
  content: Content
  /** Our message id, at most 48 characters. */
  trackingId: string
  /** A free trial that reaches only the account's own people, if the provider offers that (G-23). */
  isSample: boolean
  /**
   * The address for the provider's report on the outcome, if it takes one with each message. The provider adds its
   * proof of origin.
   */
  reportTo?: string
}

/** A request to one of our addresses in a provider's name. */
export type InboundRequest = {
  /** The body, or the query if there is no body. */
  rawBody: Buffer
  /** The secret part of the address that was called, for a provider that signs nothing. */
  addressKey?: string
  /** The value of a header, given in lower case; undefined unless it was sent exactly once. */
  header(name: string): string | undefined
}

/** A secret that proves a request, and the app that it belongs to. Without an app: the one that the request names. */
export type InboundSecret = { appId: string | undefined; secret: string }

/**
 * A message that the provider accepted will not arrive; the provider reports this some time after it accepted the
 * message.
 */
export type FailureEvent = {
  kind: 'failure'
  accountId?: string
  msgId?: string
  trackingId?: string
  cause: string
}

/** An event that is not acted on. */
export type IgnoredEvent = { kind: 'other'; name: string; oaId?: string }

export type ProviderEvent =
  | ReceiptEvent
  | FailureEvent
  | TemplateStatusEvent
  | TemplateStandingEvent
  | IgnoredEvent

/** The requests that a provider sends. Nothing here throws, whatever the request contains. */
export interface Inbound {
  /**
   * The event's name in the request; undefined if it names none, for example when the provider only checks that we
   * respond.
   */
  eventName(request: InboundRequest): string | undefined
  /** Whether the request could be read, so that one without a name is surely no event. */
  isReadable(request: InboundRequest): boolean
  /** The accounts that the event may belong to, the likeliest first; empty when it names none. */
  accountsNamed(request: InboundRequest): string[]
  /** Whether it carries a proof of origin, valid or not. */
  isSigned(request: InboundRequest): boolean
  /** Whether its proof is valid: the provider sent it for one of the accounts. */
  isGenuine(request: InboundRequest, secret: InboundSecret, accountIds: readonly string[]): boolean
  /** The content of the event, from its text as received. `receivedAt` is used if it has no time. */
  parse(text: string, receivedAt: Date): ProviderEvent
}

/** The parts of a provider's protocol that need no account or address. */
export type ProviderProtocol = {
  inbound: Inbound
  /** A sentence for staff about one of the provider's error numbers; undefined for an unknown number. */
  describe(code: number, language: 'vi' | 'en'): string | undefined
}

/** A provider of messages. No call throws because of the network or the provider: see {@link PlatformOutcome}. */
export interface MessageProvider<Content> {
  /**
   * Whether the provider never sends a message twice that is handed over again with its tracking id: a send without a
   * response can then be repeated.
   */
  dropsRepeats: boolean
  /** `msgId` is '' when the provider already had the message and does not tell its id. */
  send(account: SendingAccount, message: ProviderMessage<Content>): Promise<PlatformOutcome<AcceptedMessage>>
  /** The status of a message that the provider accepted. */
  messageStatus(account: SendingAccount, msgId: string): Promise<PlatformOutcome<PlatformMessageStatus>>
}

/** A provider of template messages, which limits how many an account sends a day. */
export interface TemplateProvider extends MessageProvider<TemplateContent> {
  messageQuota(account: SendingAccount): Promise<PlatformOutcome<DayQuota>>
}
