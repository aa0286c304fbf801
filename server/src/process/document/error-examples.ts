import {
  MalformedId,
  problemOf,
  RecordChanged,
  type RefusalCode,
  type RefusalValues,
  Refused,
  ValidationError,
  validationBody,
} from '../../errors.ts'
import { refusalBody } from '../../http/error-map.ts'
import { HEADERS_TOO_LONG, NOT_ARRIVED_IN_TIME } from '../../http/unreadable-requests.ts'
import { textsIn } from '../../texts/catalogue.ts'

/** Example values for the texts of refusals. */
const VALUES: Partial<Record<RefusalCode, RefusalValues>> = {
  SCOPE_MISSING: { scope: 'orders' },
  INVITATION_FOR_ANOTHER: { email: 'lan@tiemhoamai.example' },
  ITEM_SKU_TAKEN: { code: 'AL-1' },
  BARCODE_TAKEN: { code: '8936012345678' },
  PRODUCT_IN_ORDERS: { orders: '6743f1a0c2b1d4e5f6000021' },
  CATEGORY_HAS_CHILDREN: { count: 2 },
  CATEGORY_HAS_PRODUCTS: { count: 7 },
  TOO_MANY_IMPORTS: { most: 5 },
  TOO_MANY_CATEGORIES: { most: 5_000 },
  IMAGE_TOO_LARGE: { most: 50 },
  IMAGE_SIDE_TOO_LONG: { most: 20_000 },
  IMAGES_BUSY: { retryAfterSeconds: 2 },
  CUSTOMER_PHONE_TAKEN: { phone: '84912345678' },
  AUDIENCE_NAME_TAKEN: { name: 'Khách quen' },
  TOO_MANY_AUDIENCES: { most: 100 },
  ALREADY_MEMBER: { email: 'lan@tiemhoa.example' },
  TOO_MANY_INVITATIONS: { ofShop: 50, ofAddress: 3 },
  TOTAL_MISMATCH: { total: 345_000, price: 350_000 },
  STOCK_CHANGED: { changes: 'Áo len: 5 → 3; Quần: 2 → 4' },
  OUT_OF_STOCK: { shortages: 'Áo len: 3 / 1; Quần: 1 / 0' },
  ORDER_NOT_CANCELLABLE: { from: { orderStatus: 'completed' } },
  ORDER_STATUS_NOT_ALLOWED: { from: { orderStatus: 'completed' }, to: { orderStatus: 'pending' } },
  PAYMENT_ABOVE_PRICE: { paidAmount: 400_000, price: 350_000 },
  ORDER_NOT_RETURNABLE: { status: { orderStatus: 'shipping' } },
  TOO_MANY_RETURNS: { most: 1000 },
  RETURN_ABOVE_SOLD: { lines: 'Nón lá: 3 / 2' },
  REFUND_ABOVE_CREDIT: { refundAmount: 200_000, credit: 150_000 },
  OPENING_DEBT_PAID: { amount: 100_000, paid: 350_000 },
  PAYMENT_ABOVE_DEBT: { amount: 500_000, debt: 350_000 },
  PAYMENT_ABOVE_ORDERS: { orders: 500, most: 350_000 },
  SHIFT_CASH_CHANGED: { expected: { vnd: 1_250_000 } },
  TEMPLATE_NOT_EDITABLE: { status: { templateStatus: 'ENABLE' } },
  TEMPLATE_NOT_PUBLISHABLE: { status: { templateStatus: 'ENABLE' } },
  TEMPLATE_NOT_DELETABLE: { status: { templateStatus: 'ENABLE' } },
  TOO_MANY_UNFINISHED: { most: 50 },
  TOO_MANY_NEWS_DRAFTS: { most: 50 },
  TOO_MANY_NEWS_ITEMS: { most: 1000 },
  TEMPLATE_NOT_SENDABLE: { status: { templateStatus: 'DRAFT' }, when: { sendableWhen: 'enabled' } },
  OA_NOT_LINKED: { oaId: '2479561023657' },
  OA_LINKED_ELSEWHERE: { oaId: '2479561023657' },
  WALLET_TOO_LOW: { balance: 150, fee: 200 },
  WALLET_BELOW_ZERO: { balance: 150, amount: -200 },
  PLATFORM_REFUSED: { reason: 'The recipient does not use the platform (-118)' },
  RECIPIENT_LIMIT: { retryAfterSeconds: 60 },
  PERSON_HAS_OPEN_MESSAGES: { count: 2 },
  EXPORTS_BUSY: { max: 2, retryAfterSeconds: 10 },
  WEBHOOK_LIMIT: { max: 20 },
  IDEMPOTENCY_KEY_IN_PROGRESS: { retryAfterSeconds: 2 },
}

const texts = textsIn('en')
const failure = (statusCode: number, error: string, message: string) => ({ statusCode, error, message })

/** Examples of errors without a code, by the name of their schema. */
const PLAIN = {
  ValidationFailed: validationBody(new ValidationError('body', [problemOf(['name'], 'any.required')])),
  Unauthorized: failure(401, 'Unauthorized', texts.unauthorized.apiKey),
  NotFound: { error: 'Resource not found', message: texts.notFound.product },
  NotArrived: NOT_ARRIVED_IN_TIME,
  BodyTooLarge: failure(413, 'Payload Too Large', 'Body is larger than the limit of 1 MB'),
  ContentTypeNotTaken: failure(415, 'Unsupported Media Type', 'Content-Type must be application/json'),
  RateLimited: {
    error: 'Rate limit exceeded: the limit is 100 requests per minute per shop. Retry in 12 s.',
  },
  HeadersTooLong: HEADERS_TOO_LONG,
  MalformedId: failure(500, 'Internal Server Error', new MalformedId('id').message),
  Unavailable: failure(503, 'Service Unavailable', texts.databaseAway),
}
export const PLAIN_EXAMPLES: Record<number, keyof typeof PLAIN> = {
  400: 'ValidationFailed',
  401: 'Unauthorized',
  404: 'NotFound',
  408: 'NotArrived',
  413: 'BodyTooLarge',
  415: 'ContentTypeNotTaken',
  429: 'RateLimited',
  431: 'HeadersTooLong',
  500: 'MalformedId',
  503: 'Unavailable',
}

function refusedAs(code: RefusalCode): Refused {
  if (code !== 'RECORD_CHANGED') return new Refused(code, VALUES[code])
  const by = { type: 'member', id: '6743f1a0c2b1d4e5f6000031', name: 'Lan' } as const
  return new RecordChanged({ version: 4, at: new Date('2026-11-23T02:30:00.000Z'), by })
}

/** An example response for every code and every error without one, as the service sends it in English. The keys are names. */
export function errorExamples(): Record<string, { value: object }> {
  const codes = Object.keys(texts.refused) as RefusalCode[]
  const all: Record<string, object> = {
    ...PLAIN,
    ...Object.fromEntries(codes.map((code) => [code, refusalBody(refusedAs(code), 'en')])),
    DATABASE_BUSY: { ...failure(503, 'Service Unavailable', texts.databaseBusy), code: 'DATABASE_BUSY' },
  }
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, { value }]))
}
