import type { Credential, RefusalCode, Resource } from '../errors.ts'
import type { ImportFailure, OutboundReason, PlatformCode } from './keys.ts'
import { type LintTexts, lintEn } from './lint-en.ts'

/** Every text that an answer shows, by language (G-05). Values in braces are filled in. */
export type Texts = {
  unauthorized: Record<Credential, string>
  unexpected: string
  databaseBusy: string
  databaseAway: string
  writesRefused: string
  platformAway: string
  storageAway: string
  /** A message whose outcome stayed unknown until its time was over. */
  messageReleased: string
  /** In the history, of a message whose batch was cancelled before its turn. */
  messageCancelled: string
  /** What became of a message, by its state (E5, E6). */
  message: Record<'RECEIVED' | 'UNKNOWN' | 'SENDING', string>
  notFound: Record<Resource, string>
  refused: Record<RefusalCode, string>
  /** What a new shop is given. */
  made: Record<'warehouse' | 'key', string>
  /** What is sent by e-mail; `{link}` is the one to open. */
  mail: Record<'reset' | 'invitation', { subject: string; text: string }>
  /** The words of a template's preview. */
  preview: Record<'from' | 'until' | 'code' | 'rate' | 'picture', string>
  /** Why a template could not be submitted. */
  publishFailed: Record<'image' | 'away' | 'wait' | 'limit', string>
  /** Of an upload; `reason` is one of `importFailed`. Continues the field's name. */
  unusableFile: string
  importFailed: Record<ImportFailure, string>
  /** Why an image of a template cannot be used; fills `publishFailed.image`. */
  image: Record<'status' | 'type' | 'failed' | 'unanswered' | OutboundReason, string>
  lint: LintTexts
  platformCodeUnknown: string
  /** A sentence for staff on each error number of the platform that is known. */
  platformCode: Readonly<Record<PlatformCode, string>>
}

export const en: Texts = {
  unauthorized: {
    apiKey: 'A valid API key is needed in the header x-api-key, as "service-partner <API_KEY>"',
    operatorToken: 'The operator token is needed: "Authorization: Bearer <operator token>"',
    password: 'The e-mail or the password is not right',
    session: 'Nobody is signed in: sign in at the console',
    signature: 'The header x-zevent-signature is not the signature of this official account’s event',
  },
  unexpected: 'Something went wrong on our side. Name the x-request-id when you report it',
  databaseBusy: 'The data was in use elsewhere for too long. Nothing has changed; retry shortly',
  databaseAway: 'The database does not answer at the moment. Retry shortly',
  writesRefused:
    'Changes cannot be saved at the moment: the database is read-only or its disk is full. Retry shortly',
  storageAway: 'The store of images does not answer at the moment. Retry shortly',
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
    officialAccount: 'The official account is not linked to this shop',
    product: 'The product does not exist',
    category: 'The category does not exist',
    image: 'The image does not exist',
    customer: 'The customer does not exist',
    warehouse: 'The warehouse does not exist',
    order: 'The order does not exist',
    news: 'The news article does not exist',
    template: 'The template does not exist',
    message: 'The message does not exist',
    batch: 'The batch does not exist',
    import: 'The import does not exist',
    webhook: 'The webhook endpoint does not exist',
    event: 'There is no such event for this endpoint',
    member: 'No such member in this shop',
    invitation: 'This invitation is not there any more: it was taken, taken back or is too old',
    user: 'Nobody signs in with this e-mail',
  },
  refused: {
    MALFORMED_PATH: 'The path is not a valid URL: a % must begin a UTF-8 percent-encoding',
    SCOPE_MISSING: 'This key or role may not do that: it lacks the scope {scope}. Use one that has it',
    CROSS_SITE_REQUEST:
      'This request was made by another site’s page; a session is for the console’s own pages',
    ROLE_HIGHER:
      'You are a member of this shop with more rights than this invitation gives: an owner changes roles under Members',
    INVITATION_FOR_ANOTHER:
      'You are signed in as {email}, and this invitation is for another address: sign out, then sign in with that one',
    ADDRESS_NOT_PROVED:
      'It is not known yet that this account is of who has the address: set its password by a link that is mailed to it or that the operator hands over, then open the invitation again',
    LINK_USED: 'This link was used or is too old: ask the operator for a new one',
    NO_MAIL: 'No e-mail is set up here: ask the operator for a link that sets a new password',
    LAST_OWNER: 'A shop keeps at least one owner: make somebody else an owner first',
    KEY_ENDED: 'The API key is revoked or expired and cannot be rotated. Issue a new one',
    OA_IN_USE: 'The official account still has messages waiting to be sent. Cancel their batches or wait',
    SHOP_MISMATCH: 'shopId is not the shop of the API key',
    ITEM_SKU_TAKEN: 'The SKU code "{code}" belongs to another product of this shop',
    BARCODE_TAKEN: 'The barcode "{code}" belongs to another product of this shop',
    PRODUCT_IN_ORDERS:
      'The product is in open orders ({orders}): complete or cancel them first, or set its status to inactive',
    CATEGORY_HAS_CHILDREN: 'The category has categories below it ({count}): move or delete them first',
    CATEGORY_HAS_PRODUCTS: 'The category has products ({count}): move them to another category first',
    TOO_MANY_IMPORTS: 'The shop has {most} imports that have not ended: wait for one or cancel it',
    TOO_MANY_CATEGORIES: 'A shop has at most {most} categories',
    IMAGE_NOT_SUPPORTED: 'The body must be an image of type PNG, JPEG or WebP, or a form with such a file',
    IMAGE_UNREADABLE: 'The image is damaged and cannot be read',
    IMAGE_TOO_LARGE: 'The image has more than {most} megapixels',
    IMAGES_BUSY: 'Too many images are being uploaded at once. Send it again in {retryAfterSeconds} seconds',
    FORM_TOO_COMPLEX: 'The form has too many parts or too long headers: send the image alone',
    CUSTOMER_PHONE_TAKEN: 'The phone number {phone} belongs to another customer of this shop',
    TOTAL_MISMATCH: 'total is {total} but the order comes to {price}',
    OUT_OF_STOCK: 'Not enough stock (wanted / available). {shortages}',
    ORDER_NOT_CANCELLABLE:
      'An order in status {from} can no longer be cancelled: only one that is not delivered can',
    ORDER_STATUS_NOT_ALLOWED: 'An order in status {from} cannot become {to}: orders move forwards only',
    ORDER_CANCELLED: 'The order is cancelled: it takes no more payments, money can only be given back',
    PAYMENT_ABOVE_PRICE: 'paidAmount is {paidAmount} but the order comes to {price}',
    WAREHOUSE_IS_DEFAULT: 'The default warehouse cannot be deleted: make another one the default first',
    WAREHOUSE_IN_USE: 'The warehouse has or had stock and cannot be deleted: its movements are kept',
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
    WEBHOOK_LIMIT: 'A shop has at most {max} webhook endpoints: delete one first',
    WEBHOOK_DISABLED: 'The endpoint is switched off: switch it on first, with {"enabled": true}',
    IDEMPOTENCY_KEY_IN_PROGRESS:
      'A request with this Idempotency-Key is still running. Retry in {retryAfterSeconds} s for its answer',
  },
  made: { warehouse: 'Main warehouse', key: 'First key' },
  mail: {
    reset: {
      subject: 'Shopbell: set a new password',
      text: 'Somebody, probably you, asked for a new password. Set it here within 24 hours:\n\n{link}\n\nIf it was not you, do nothing: the old password stays.',
    },
    invitation: {
      subject: '{shop} invites you to Shopbell',
      text: 'You are invited to work in {shop} on Shopbell. Accept within 7 days:\n\n{link}\n\nIf you do not know this shop, do nothing.',
    },
  },
  preview: { from: 'From', until: 'Until', code: 'Code', rate: 'Your rating', picture: 'Picture' },
  publishFailed: {
    image: 'The image {address} cannot be used: {why}. Mend it and publish the template again.',
    away: 'The platform could not be reached ({cause}). Publish the template again.',
    wait: 'The platform takes no more templates of this official account today ({cause}). This one goes out by itself after midnight.',
    limit:
      'The platform takes no templates of this official account at the moment ({cause}). Publish the template again later.',
  },
  image: {
    status: 'its server answers HTTP {status}',
    type: 'it is no PNG or JPEG image',
    failed: 'it cannot be loaded ({cause})',
    unanswered: 'the platform did not answer ({cause})',
    address: 'it is not a usable http or https address',
    private: 'its address leads into a private network',
    redirects: 'it redirects too often',
    'too-large': 'it is larger than 500 KB',
  },
  unusableFile: 'cannot be imported. {reason}',
  importFailed: {
    empty: 'The file is empty',
    unknownColumns: 'The file has columns that there are not: {columns}',
    columnTwice: 'The column "{column}" is there twice',
    notCsv: 'The file is not valid CSV: {cause}',
    lineTooLong: 'Line {line} is too long',
    tooManyLines: 'The file has more than {most} lines',
    productsWithErrors: 'Nothing was imported: {failed} of {total} products have errors',
    shopChanged: 'Nothing was imported: the shop changed meanwhile, and some products have errors now',
    unfinished: 'The import could not be finished',
  },
  lint: lintEn,
  platformCodeUnknown: 'The platform refused with error number {code}.',
  platformCode: {
    '-124': 'The OA’s access token is no longer valid; connect the OA again.',
    '-216': 'The OA’s access token was refused; connect the OA again.',
    '-220': 'The OA’s access token has expired; connect the OA again.',
    '-101': 'The sending application is not valid; check its app ID.',
    '-102': 'The platform knows no such application; check its app ID.',
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
    '-115': 'The OA’s account at the platform has too little money.',
    '-137': 'The platform could not take its fee; check the OA’s billing account.',
    '-320': 'The OA has no billing account connected, so this message cannot be sent.',
    '-321': 'The OA’s billing account at the platform is out of money.',
    '-126': 'The wallet for the OA’s development mode has too little money.',
    '-201': 'The request holds a value the platform does not accept.',
    '-108': 'The recipient’s phone number is not valid.',
    '-109': 'The template number is not valid.',
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
    '-114': 'The recipient cannot get messages now: inactive, or has turned this kind off.',
    '-118': 'The recipient has no account on the platform.',
    '-119': 'This account cannot get template messages.',
    '-139': 'The recipient refuses this kind of message.',
    '-140': 'The recipient has not agreed to get this kind of message from the OA.',
    '-141': 'The recipient refuses messages from this OA.',
    '-213': 'The recipient does not follow the OA or has never written to it.',
    '-217': 'The recipient has blocked the OA’s invitations or messages.',
    '-218': 'The recipient has had as many messages from the OA as are allowed.',
    '-227': 'The recipient’s account is locked or inactive.',
    '-244': 'The recipient limits this kind of message.',
    '-131': 'The template has not been approved.',
    '-146': 'The platform has switched the template off because of low quality.',
    '-1091': 'The template can be edited only while it is rejected.',
    '-127': 'A trial template reaches only the OA’s administrators.',
    '-249': 'The template cannot be used to send by UID.',
    '-133': 'This kind of message is not sent at night (22:00–06:00).',
    '-234': 'The platform takes no such message at night (22:00–06:00).',
    '-144': 'The OA has used up today’s messages.',
    '-1441': 'The OA has used up this month’s promotional messages.',
    '-147': 'The template has used up today’s messages.',
    '-1471': 'A sending limit of this template is reached; send later.',
    '-1472': 'A sending limit for this recipient is reached; send later.',
    '-100': 'The platform had a passing fault; try again.',
    '-32': 'Sent faster than the platform allows; try again in a minute.',
    '-211': 'The platform’s allowance for this request is used up for now; try again.',
  },
}
