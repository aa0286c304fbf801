import type { Credential, RefusalCode, Resource } from '../errors.ts'
import { type ExportTexts, exportsEn } from './exports-en.ts'
import type {
  EsmsCode,
  ImportFailure,
  OrderStatusName,
  OutboundReason,
  PlatformCode,
  SendableWhen,
  TemplateStatusName,
} from './keys.ts'
import { type LintTexts, lintEn } from './lint-en.ts'

/** All texts of responses, by language (G-05). Values in braces are filled in. */
export type Texts = {
  unauthorized: Record<Credential, string>
  methodNotAllowed: string
  unexpected: string
  databaseBusy: string
  databaseAway: string
  writesRefused: string
  platformAway: string
  storageAway: string
  /** A message whose outcome stayed unknown until it timed out. */
  messageReleased: string
  messageNotDelivered: string
  /** Shown in the history of a message whose batch was cancelled before the message was sent. */
  messageCancelled: string
  messageOptedOut: string
  messageOtpExpired: string
  /** The result of a send, by the message's state (E5, E6). */
  message: Record<'RECEIVED' | 'UNKNOWN' | 'SENDING', string>
  notFound: Record<Resource, string>
  refused: Record<RefusalCode, string>
  /** The names of an order's statuses in `refused`; in Vietnamese as the console shows them. */
  orderStatus: Record<OrderStatusName, string>
  /** The same of a template's statuses; in English the codes of the API. */
  templateStatus: Record<TemplateStatusName, string>
  /** What a template that cannot be sent lacks, in `refused`. */
  sendableWhen: Record<SendableWhen, string>
  /** The names of a new shop's first records. */
  made: Record<'warehouse' | 'key', string>
  /** Emails; `{link}` is the link to open. */
  mail: Record<'reset' | 'invitation', { subject: string; text: string }>
  /** The labels in a template's preview. */
  preview: Record<'from' | 'until' | 'code' | 'rate' | 'picture', string>
  /** Why a template could not be submitted. */
  publishFailed: Record<'image' | 'away' | 'wait' | 'limit', string>
  /** The error of an upload; `reason` is one of `importFailed`. It follows the field's name. */
  unusableFile: string
  /** The note of an entry. */
  openingStock: string
  importFailed: Record<ImportFailure, string>
  /** Why an image of a template cannot be used; fills `publishFailed.image`. */
  image: Record<'status' | 'type' | 'failed' | 'unanswered' | OutboundReason, string>
  lint: LintTexts
  exports: ExportTexts
  platformCodeUnknown: string
  /** A sentence for staff about each known error number of the platform. */
  platformCode: Readonly<Record<PlatformCode, string>>
  /** A sentence for staff about each known error number of eSMS. */
  esmsCode: Readonly<Record<EsmsCode, string>>
}

export const en: Texts = {
  unauthorized: {
    apiKey: 'Send a valid API key in the header x-api-key: "service-partner <API_KEY>"',
    metricsToken: 'Send the metrics token: "Authorization: Bearer <METRICS_TOKEN>"',
    operatorToken: 'Send the operator token: "Authorization: Bearer <operator token>"',
    password: 'Wrong email or password',
    session: 'You are not signed in. Sign in to the console',
    smsReport: 'No SMS sender has this address',
    signature: 'The x-zevent-signature header does not match this event',
  },
  methodNotAllowed: 'This path does not have the method {method}. It has: {allowed}',
  unexpected: 'Something went wrong on our side. Include the x-request-id when you report it',
  databaseBusy: 'The data was locked by another request for too long. Nothing was changed; retry shortly',
  databaseAway: 'The database is not responding. Retry shortly',
  writesRefused:
    'Changes cannot be saved at the moment: the database is read-only or its disk is full. Retry shortly',
  storageAway: 'The image storage is not responding. Retry shortly',
  platformAway: 'The messaging platform cannot be reached. Nothing was sent or charged. Retry shortly',
  messageOptedOut: 'The recipient opted out before this message was sent; nothing was charged',
  messageOtpExpired: 'The one-time password expired before this message could be sent; nothing was charged',
  messageCancelled: 'The batch was cancelled before this message was sent; nothing was charged',
  messageReleased: 'The platform did not confirm delivery in time. The fee was released',
  messageNotDelivered: 'The message was not delivered in time. The fee was released',
  message: {
    RECEIVED: 'The message was sent',
    UNKNOWN:
      'The messaging platform gave no clear response, so the message may have been sent. Do not resend it; its outcome will follow',
    SENDING: 'The message was accepted and is being sent',
  },
  notFound: {
    route: 'Path not found',
    shop: 'The shop does not exist',
    key: 'The API key does not exist',
    officialAccount: 'The official account is not linked to this shop',
    smsSender: 'The shop has no SMS sender',
    platformApp: 'No app with this id is set',
    product: 'The product does not exist',
    category: 'The category does not exist',
    image: 'The image does not exist',
    customer: 'The customer does not exist',
    warehouse: 'The warehouse does not exist',
    entry: 'The stock entry does not exist',
    order: 'The order does not exist',
    shift: 'The shift does not exist',
    news: 'The news article does not exist',
    template: 'The template does not exist',
    message: 'The message does not exist',
    batch: 'The batch does not exist',
    audience: 'The audience does not exist',
    import: 'The import does not exist',
    export: 'This export does not exist or has expired',
    webhook: 'The webhook endpoint does not exist',
    event: 'The event does not exist for this endpoint',
    member: 'The member does not exist',
    invitation: 'This invitation is no longer valid: it was accepted, revoked or has expired',
    user: 'No user has this email address',
    queue: 'No queue has this name',
    job: 'The queue has no such job; it may have been deleted',
  },
  refused: {
    MALFORMED_PATH: 'The path is not a valid URL: each % must start a UTF-8 percent-encoding',
    SHOP_SUSPENDED: 'This shop is suspended. Ask the operator of the service to resume it',
    SHOP_IN_DELETION: 'This shop is scheduled for deletion. Withdraw its deletion first',
    SHOP_BEING_ERASED: 'This shop is being erased, which cannot be undone',
    SHIFT_OF_ANOTHER: 'This is the shift of somebody else. Ask who opened it, or an owner of the shop',
    COSTS_FOR_OWNERS: 'Only owners of the shop see costs and profit. Ask an owner',
    SCOPE_MISSING: 'This key or role lacks the scope {scope}. Use one that has it',
    CROSS_SITE_REQUEST:
      'This request came from another site. A session works only from the console’s own pages',
    ROLE_HIGHER:
      'You already have more rights in this shop than this invitation gives. An owner can change your role under Members',
    INVITATION_FOR_ANOTHER:
      'You are signed in as {email}, but this invitation is for another address. Sign out, then sign in with that address',
    ADDRESS_NOT_PROVED:
      'It is not confirmed that this account belongs to the owner of the email address. Set its password with a link that is emailed to the address or comes from the operator, then open the invitation again',
    LINK_USED: 'This link has been used or has expired. Ask the operator for a new one',
    NO_MAIL: 'This service cannot send email. Ask the operator for a link to set a new password',
    LAST_OWNER: 'A shop needs at least one owner. Make someone else an owner first',
    KEY_ENDED: 'The API key is revoked or expired and cannot be rotated. Issue a new one',
    JOB_NOT_FAILED: 'This job has not failed: it is waiting, running or done',
    JOB_NOT_NEEDED:
      'This job is no longer needed: what it was for has already ended, so running it again does nothing. Delete it',
    OA_IN_USE:
      'Messages of this official account are queued, or have no result yet. Cancel their batches, then wait for the results: usually a few minutes, at most two days, or 30 days if the account is disconnected',
    APP_IN_USE: 'Official accounts refer to this app. Unlink them, or give them another app first',
    NO_PLATFORM_APP: 'No app of the messaging platform is set up. Ask the operator to set one up',
    CONNECT_EXPIRED:
      'This link for connecting the account is unknown, already used or more than ten minutes old. Connect again from the beginning, in one browser',
    CONNECT_REFUSED: 'The messaging platform did not accept the consent. Connect again from the beginning',
    OA_LINKED_ELSEWHERE:
      'The official account {oaId} is linked to another shop. Have it unlinked there first, or ask the operator',
    SHOP_MISMATCH: 'shopId does not match the API key’s shop',
    ITEM_SKU_TAKEN: 'The SKU code "{code}" belongs to another product of this shop',
    BARCODE_TAKEN: 'The barcode "{code}" belongs to another product of this shop',
    PRODUCT_IN_ORDERS:
      'The product is in open orders ({orders}): complete or cancel them first, or set its status to inactive',
    CATEGORY_HAS_CHILDREN: 'The category has subcategories ({count}): move or delete them first',
    CATEGORY_HAS_PRODUCTS: 'The category has products ({count}): move them to another category first',
    TOO_MANY_IMPORTS: 'The shop already has {most} unfinished imports. Wait for one to finish, or cancel one',
    TOO_MANY_CATEGORIES: 'A shop can have at most {most} categories',
    IMAGE_NOT_SUPPORTED: 'Send a PNG, JPEG or WebP image, or a form that contains one',
    IMAGE_UNREADABLE: 'The image is damaged and cannot be read',
    IMAGE_TOO_LARGE: 'The image has more than {most} megapixels',
    IMAGE_SIDE_TOO_LONG: 'A side of the image is longer than {most} pixels',
    IMAGES_BUSY: 'Too many images are being processed at once. Retry in {retryAfterSeconds} s',
    FORM_TOO_COMPLEX: 'The form has too many parts or too long headers. Send only the image',
    RECORD_CHANGED: 'The record has been changed since you read it: read it again, then repeat your change',
    CUSTOMER_PHONE_TAKEN: 'The phone number {phone} belongs to another customer of this shop',
    AUDIENCE_NAME_TAKEN: 'The shop already has an audience named “{name}”. Choose another name',
    TOO_MANY_AUDIENCES: 'A shop can have at most {most} audiences. Delete one first',
    ALREADY_MEMBER: '{email} is a member of the shop already. Change their role under Members',
    TOO_MANY_INVITATIONS:
      'A shop can send at most {ofShop} invitations within 24 hours, {ofAddress} of them to the same address. Try again later',
    TOTAL_MISMATCH: 'total is {total}, but the order amounts to {price}',
    STOCK_CHANGED: 'The stock has changed since it was shown (shown → now). {changes}. Check the count',
    OUT_OF_STOCK: 'Not enough stock (requested / available). {shortages}',
    ORDER_NOT_CANCELLABLE:
      'An order in status {from} cannot be cancelled. Orders can be cancelled only before delivery',
    ORDER_STATUS_NOT_ALLOWED: 'An order cannot move from {from} to {to}: statuses only move forward',
    ORDER_NOT_RETURNABLE:
      'Goods of an order in status {status} cannot be returned: complete it first, or cancel it before delivery',
    TOO_MANY_RETURNS: 'An order can have at most {most} returns',
    RETURN_ABOVE_SOLD: 'More is returned than was sold and not returned yet: {lines}',
    REFUND_ABOVE_CREDIT: 'The refund is {refundAmount}, but only {credit} is paid above the new price',
    ORDER_CANCELLED: 'The order is cancelled, so only refunds can be recorded',
    PAYMENT_ABOVE_PRICE: 'paidAmount is {paidAmount}, but the order amounts to {price}',
    OPENING_DEBT_PAID: 'The opening debt cannot be {amount}: the customer has paid {paid} of it',
    PAYMENT_ABOVE_DEBT: 'The customer pays {amount}, but owes {debt}',
    PAYMENT_ABOVE_ORDERS:
      'One payment covers at most {orders} orders, and {most} is due for the oldest of them. Record {most} first, then the rest',
    SHIFT_OPEN: 'You already have an open shift: close it first',
    SHIFT_CLOSED: 'The shift is closed',
    SHIFT_CASH_CHANGED:
      'Money was taken or given back in this shift since you counted: the expected cash is now {expected}. Check the count',
    WAREHOUSE_IS_DEFAULT: 'The default warehouse cannot be deleted. Make another warehouse the default first',
    WAREHOUSE_IN_USE: 'A warehouse that has held stock cannot be deleted, because its movements are kept',
    AMOUNT_TOO_LARGE: 'The amounts are too large to add up',
    TEMPLATE_NOT_EDITABLE:
      'A template in status {status} cannot be edited; only DRAFT and REJECTED can. Duplicate it and edit the copy',
    TEMPLATE_NOT_PUBLISHABLE:
      'A template in status {status} cannot be published: only DRAFT and REJECTED can',
    TEMPLATE_NOT_DELETABLE: 'A template in status {status} cannot be deleted: only DRAFT and REJECTED can',
    TEMPLATE_NOT_SENDABLE: 'A template in status {status} cannot be sent; {when}',
    OA_NOT_LINKED: 'The official account {oaId} is not linked to this shop',
    UID_NOT_PRICED: 'The template has no price for sending by UID (priceUID)',
    PHONE_NOT_PRICED: 'The template has no price for sending by phone number',
    WALLET_TOO_LOW:
      'The wallet balance is {balance} đồng, but the message costs {fee} đồng. Top up the wallet',
    WALLET_BELOW_ZERO: 'The wallet balance is {balance} đồng, so it cannot change by {amount} đồng',
    PLATFORM_REFUSED: 'The platform refused the message: {reason}',
    RECIPIENT_LIMIT:
      'This recipient has reached the limit for this kind of message. Retry in {retryAfterSeconds} s',
    PERSON_HAS_OPEN_MESSAGES:
      '{count} messages to this number are being sent, or their outcome is unknown. Try again when they have ended',
    PERSON_IN_IMPORT:
      'A file that is being imported has this number. Wait for the import or cancel it, then try again',
    RECIPIENT_OPTED_OUT: 'The recipient opted out of customer care and post-sale messages (tags 2 and 3)',
    IDEMPOTENCY_KEY_REUSED:
      'This Idempotency-Key was used for another request (method, path or body). Use a new key for each new request',
    CURSOR_TOO_OLD:
      'This cursor is too old: the records after it are no longer kept. Start over: for changes, make an export and use its cursor; for events, read without a cursor',
    EXPORTS_BUSY:
      'A shop can download at most {max} exports at the same time. Wait until one download has finished',
    TOO_MANY_UNFINISHED: 'A shop can have at most {most} unfinished templates. Finish or delete one first',
    TOO_MANY_NEWS_ITEMS: 'An article can have at most {most} products. Detach some first',
    TOO_MANY_NEWS_DRAFTS: 'A shop can have at most {most} news drafts. Publish or delete one first',
    WEBHOOK_LIMIT: 'A shop can have at most {max} webhook endpoints. Delete one first',
    WEBHOOK_DISABLED: 'The endpoint is disabled. Enable it first with {"enabled": true}',
    IDEMPOTENCY_KEY_IN_PROGRESS:
      'A request with this Idempotency-Key is still running. Retry in {retryAfterSeconds} s to get its response',
  },
  orderStatus: {
    pending: 'pending',
    confirmed: 'confirmed',
    processing: 'processing',
    ready_to_ship: 'ready to ship',
    shipping: 'shipping',
    delivered: 'delivered',
    completed: 'completed',
    cancelled: 'cancelled',
  },
  templateStatus: {
    DRAFT: 'DRAFT',
    PENDING_REVIEW: 'PENDING_REVIEW',
    ENABLE: 'ENABLE',
    DISABLE: 'DISABLE',
    REJECTED: 'REJECTED',
  },
  sendableWhen: {
    enabled: 'its status must be ENABLE',
    received: 'a sample can be sent as soon as the platform has received the submission',
  },
  made: { warehouse: 'Main warehouse', key: 'First key' },
  mail: {
    reset: {
      subject: 'Shopbell: set a new password',
      text: 'Someone, probably you, requested a password reset. Set a new password here within 24 hours:\n\n{link}\n\nIf this was not you, ignore this email. Your password stays the same.',
    },
    invitation: {
      subject: '{shop} invites you to Shopbell',
      text: 'You are invited to join {shop} on Shopbell. Accept within 7 days:\n\n{link}\n\nIf you do not know this shop, ignore this email.',
    },
  },
  preview: { from: 'From', until: 'Until', code: 'Code', rate: 'Your rating', picture: 'Picture' },
  publishFailed: {
    image: 'The image {address} cannot be used: {why}. Fix it and publish the template again.',
    away: 'The platform could not be reached ({cause}). Publish the template again.',
    wait: 'The platform accepts no more templates from this official account today ({cause}). This one will be submitted automatically after midnight.',
    limit:
      'The platform does not accept templates from this official account right now ({cause}). Publish the template again later.',
  },
  image: {
    status: 'its server responded with HTTP {status}',
    type: 'it is not a PNG or JPEG image',
    failed: 'it cannot be loaded ({cause})',
    unanswered: 'the platform did not respond ({cause})',
    address: 'it is not a usable http or https address',
    private: 'its address points to a private network',
    redirects: 'it redirects too many times',
    'too-large': 'it is larger than 500 KB',
  },
  unusableFile: 'cannot be imported. {reason}',
  openingStock: 'Opening stock from an imported file',
  importFailed: {
    empty: 'The file is empty',
    unknownColumns: 'The file has unknown columns: {columns}',
    columnTwice: 'The column "{column}" appears twice',
    quoteNotClosed: 'The file is not valid CSV: line {line} opens a quotation mark and does not close it',
    quoteMisplaced: 'The file is not valid CSV: line {line} has a quotation mark in the wrong place',
    notCsv: 'The file is not valid CSV: line {line} cannot be read',
    lineTooLong: 'Line {line} is too long',
    tooManyLines: 'The file has more than {most} lines',
    productsWithErrors: 'Nothing was imported: {failed} of {total} products have errors',
    shopChanged: 'Nothing was imported: products changed during the import, and some now have errors',
    warehouseGone: 'The warehouse of the opening stock no longer exists',
    unfinished: 'The import could not be finished',
  },
  lint: lintEn,
  exports: exportsEn,
  platformCodeUnknown: 'The platform rejected the request with error {code}.',
  esmsCode: {
    '101': 'The SMS sender’s API key or secret key is wrong.',
    '102': 'The SMS provider has no price list for this account.',
    '103': 'The balance of the account at the SMS provider is too low.',
    '104': 'The SMS provider does not know this brandname.',
    '108': 'The SMS provider does not accept this phone number.',
    '118': 'The account at the SMS provider cannot send this kind of SMS.',
    '140': 'The SMS provider does not allow this server’s IP address.',
    '146': 'The text does not match what was registered for this brandname.',
    '177': 'The brandname is not registered with the recipient’s network.',
    '300': 'The SMS provider reports that the kind of message is missing.',
  },
  platformCode: {
    '-124': 'The OA’s access token is no longer valid; connect the OA again.',
    '-216': 'The OA’s access token was refused; connect the OA again.',
    '-220': 'The OA’s access token has expired; connect the OA again.',
    '-101': 'The sending application is not valid; check its app ID.',
    '-102': 'The platform does not know this application; check its app ID.',
    '-103': 'The application has not been activated on the platform.',
    '-104': 'The application’s secret key is wrong.',
    '-105': 'The application is not linked to any OA.',
    '-117': 'The OA or the application may not use this template.',
    '-120': 'The OA has no permission for this feature.',
    '-1201': 'The OA’s plan does not include this feature.',
    '-125': 'The OA’s ID is not valid.',
    '-135': 'The OA may not send template messages: it is not verified, or it is restricted.',
    '-1351': 'The platform has blocked this OA’s sending because of a violation.',
    '-136': 'The OA must be linked to a billing account of the platform.',
    '-138': 'The application has no permission to send template messages.',
    '-145': 'The OA may not send this kind of content.',
    '-115': 'The OA’s balance on the platform is too low.',
    '-137': 'The platform could not collect its fee; check the OA’s billing account.',
    '-320': 'The OA has no billing account connected, so this message cannot be sent.',
    '-321': 'The OA’s billing account on the platform has run out of money.',
    '-126': 'The balance for the OA’s development mode is too low.',
    '-201': 'The request contains a value the platform does not accept.',
    '-108': 'The recipient’s phone number is not valid.',
    '-109': 'The template ID is not valid.',
    '-111': 'The message carries no data for its template.',
    '-112': 'The data does not fit the template.',
    '-1121': 'A parameter is longer than allowed.',
    '-1122': 'A parameter of the template is missing.',
    '-1124': 'A parameter has the wrong format.',
    '-113': 'A button of the message is not valid.',
    '-1131': 'The target of a button is not valid.',
    '-116': 'The text of the message is not valid.',
    '-121': 'The request was empty.',
    '-122': 'The request has the wrong format.',
    '-130': 'The message is longer than allowed.',
    '-132': 'A parameter is not valid.',
    '-153': 'The data of the message is not valid.',
    '-110': 'The recipient’s messaging app is too old.',
    '-114': 'The recipient cannot receive messages now: the account is inactive or has turned this kind off.',
    '-118': 'The recipient has no account on the platform.',
    '-119': 'This account cannot receive template messages.',
    '-139': 'The recipient refuses this kind of message.',
    '-140': 'The recipient has not agreed to receive this kind of message from the OA.',
    '-141': 'The recipient refuses messages from this OA.',
    '-213': 'The recipient does not follow the OA or has never written to it.',
    '-217': 'The recipient has blocked the OA’s invitations or messages.',
    '-218': 'The recipient has reached the limit of messages from this OA.',
    '-227': 'The recipient’s account is locked or inactive.',
    '-244': 'The recipient limits this kind of message.',
    '-131': 'The template has not been approved.',
    '-146': 'The platform has switched the template off because of low quality.',
    '-1091': 'The template can be edited only while it is rejected.',
    '-127': 'A trial template reaches only the OA’s administrators.',
    '-249': 'The template cannot be used to send by UID.',
    '-133': 'This kind of message is not sent at night (22:00–06:00).',
    '-234': 'The platform does not accept this kind of message at night (22:00–06:00).',
    '-144': 'The OA has used up today’s messages.',
    '-1441': 'The OA has used up this month’s post-sale messages.',
    '-147': 'The template has used up today’s messages.',
    '-1471': 'A sending limit of this template is reached; send later.',
    '-1472': 'A sending limit for this recipient is reached; send later.',
    '-100': 'The platform had a temporary fault; try again.',
    '-32': 'The platform’s rate limit was exceeded; try again in a minute.',
    '-211': 'The platform’s quota for this request is used up for now; try again later.',
  },
}
