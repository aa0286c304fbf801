import type { Credential, RefusalCode, Resource } from '../errors.ts'

/** Every text that an answer shows, by language (G-05). Values in braces are filled in. */
export type Texts = {
  unauthorized: Record<Credential, string>
  unexpected: string
  databaseAway: string
  platformAway: string
  /** A message whose outcome stayed unknown until its time was over. */
  messageReleased: string
  /** In the history, of a message whose batch was cancelled before its turn. */
  messageCancelled: string
  /** What became of a message, by its state (E5, E6). */
  message: Record<'RECEIVED' | 'UNKNOWN' | 'SENDING', string>
  notFound: Record<Resource, string>
  refused: Record<RefusalCode, string>
}

export const en: Texts = {
  unauthorized: {
    apiKey: 'A valid API key is needed in the header x-api-key, as "service-partner <API_KEY>"',
    operatorToken: 'The operator token is needed: "Authorization: Bearer <operator token>"',
    signature: 'The header x-zevent-signature is not the signature of this official account’s event',
  },
  unexpected: 'Something went wrong on our side. Name the x-request-id when you report it',
  databaseAway: 'The database does not answer at the moment. Retry shortly',
  platformAway: 'The messaging platform cannot be reached; nothing was sent or charged. Retry shortly',
  messageCancelled: 'The batch was cancelled before this message was sent; nothing was charged',
  messageReleased:
    'Nobody could tell whether the message arrived, and no receipt came in time: the fee was given back',
  message: {
    RECEIVED: 'The message was sent',
    UNKNOWN:
      'The messaging platform did not answer clearly: the message may have been sent. Do not send it again, its outcome will follow',
    SENDING: 'The message was accepted and is being sent',
  },
  notFound: {
    route: 'There is no such path',
    shop: 'The shop does not exist',
    key: 'The API key does not exist',
    product: 'The product does not exist',
    category: 'The category does not exist',
    customer: 'The customer does not exist',
    order: 'The order does not exist',
    news: 'The news article does not exist',
    template: 'The template does not exist',
    message: 'The message does not exist',
    batch: 'The batch does not exist',
  },
  refused: {
    MALFORMED_PATH: 'The path is not a valid URL: a % must begin a UTF-8 percent-encoding',
    SHOP_MISMATCH: 'shopId is not the shop of the API key',
    ITEM_SKU_TAKEN: 'The SKU code "{code}" belongs to another product of this shop',
    BARCODE_TAKEN: 'The barcode "{code}" belongs to another product of this shop',
    CUSTOMER_PHONE_TAKEN: 'The phone number {phone} belongs to another customer of this shop',
    TOTAL_MISMATCH: 'total is {total} but the order comes to {price}',
    OUT_OF_STOCK: 'Not enough stock (wanted / available). {shortages}',
    AMOUNT_TOO_LARGE: 'The amounts of this order are too large to be added up',
    TEMPLATE_NOT_EDITABLE:
      'A template in status {status} cannot be changed: only DRAFT and REJECTED can. Create a new one instead',
    TEMPLATE_NOT_PUBLISHABLE:
      'A template in status {status} cannot be published: only DRAFT and REJECTED can',
    TEMPLATE_NOT_DELETABLE: 'A template in status {status} cannot be deleted: only DRAFT and REJECTED can',
    TEMPLATE_NOT_SENDABLE: 'A template in status {status} cannot be sent: it must be ENABLE',
    OA_NOT_LINKED: 'The official account {oaId} is not linked to this shop',
    UID_NOT_PRICED: 'The template has no price for sending by UID (priceUID)',
    PHONE_NOT_PRICED: 'The template has no price for sending by phone number',
    WALLET_TOO_LOW: 'The wallet has {balance} đồng, the message costs {fee} đồng. Top the wallet up',
    WALLET_BELOW_ZERO: 'The wallet has {balance} đồng: a change by {amount} đồng is not possible',
    PLATFORM_REFUSED: 'The platform refused the message: {reason}',
    RECIPIENT_LIMIT:
      'This recipient has been sent as many messages of this kind as is allowed. Retry in {retryAfterSeconds} s',
    IDEMPOTENCY_KEY_REUSED:
      'This Idempotency-Key was used for another request (method, path or body). Use a new key for a new request',
    IDEMPOTENCY_KEY_IN_PROGRESS:
      'A request with this Idempotency-Key is still running. Retry in {retryAfterSeconds} s for its answer',
  },
}
