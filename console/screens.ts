import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder with the pictures of the screens. */
export const SCREENSHOTS = join(import.meta.dirname, '../docs/screenshots')

/** Parts of screens that have their own address. */
const TABS = [
  '/news?status=drafts',
  '/templates?status=UNFINISHED',
  '/settings?tab=print',
  '/settings?tab=warehouses',
  '/settings?tab=keys',
  '/settings?tab=webhooks',
  '/settings?tab=accounts',
  '/settings?tab=members',
  '/operator?tab=health',
  '/operator?tab=people',
  '/operator?tab=audit',
]

/** The screens that are also pictured dark and in English. */
export const MAIN_SCREENS = [
  '/',
  '/orders',
  '/orders/$orderId',
  '/pos',
  '/products',
  '/products/$productId',
  '/templates/$id',
  '/messages',
  '/messages/batches/new',
  '/news',
  '/customers',
  '/settings',
]

/** The API's list whose first record's id replaces the parameter of a path. */
const LISTS: Record<string, string> = {
  '/news/$': '/api/external/news',
  '/products/$': '/api/external/v1/products',
  '/orders/$': '/api/external/v1/orders',
  '/customers/$': '/api/external/v1/customers',
  '/shifts/$': '/api/external/v1/shifts',
  '/goods-received/$': '/api/external/v1/inventory/entries?type=receive',
  '/stock-counts/$': '/api/external/v1/inventory/entries?type=count',
  '/transfers/$': '/api/external/v1/inventory/entries?type=transfer',
  '/templates/$': '/api/external/notify-template',
  '/messages/batches/$': '/api/external/notify-message/batches',
  '/messages/$': '/api/external/notify-message/history',
  '/operator/shops/$': '/api/manage/v1/shops',
}

/** The paths in router.tsx that need a session, such as `/news/$newsId`, and the parts of screens. */
export function screenPaths(): string[] {
  const router = readFileSync(join(import.meta.dirname, 'src/router.tsx'), 'utf8')
  return [...[...router.matchAll(/screen\(\s*'([^']+)'/g)].map((match) => match[1]!), ...TABS]
}

/**
 * The path with its parameter replaced by the first record's id; undefined when there is no record. `read` returns the
 * response of an API path as text.
 */
export async function addressOf(
  path: string,
  read: (listPath: string) => Promise<string>,
): Promise<string | undefined> {
  const parameter = path.indexOf('$')
  if (parameter === -1) return path
  const list = LISTS[path.slice(0, parameter + 1)]
  if (list === undefined) throw new Error(`${path}: name the list of its ids in LISTS`)
  const id = /"_id":"([0-9a-f]{24})"/.exec(await read(list))?.[1]
  return id === undefined ? undefined : path.replace(/\$\w+/, id)
}

/** Audiences, because the demo's shop has none. */
export const AUDIENCES = [
  { name: 'Lâu chưa mua lại', conditions: [{ kind: 'bought' }, { kind: 'notBought', days: 30 }] },
  { name: 'Sinh nhật trong tháng', conditions: [{ kind: 'birthday', days: 30 }] },
  { name: 'Còn nợ', conditions: [{ kind: 'debt', atLeast: 1 }] },
]

/** The body of a batch that the demo's shop sends, so that the batch's screen has content. One row is refused. */
export function batchBody(templates: { _id: string; params: { key: string }[] }[]) {
  const template = templates.find(({ params }) => params.some(({ key }) => key === 'total_amount'))
  if (template === undefined) throw new Error('the demo has no template that confirms an order')
  const receivers = [
    { receiverPhone: '0912000301', customer_name: 'Trần Thị Bưởi' },
    { receiverPhone: '0912000302', customer_name: 'Lê Văn Cam' },
    { receiverPhone: '123', customer_name: 'Phạm Quýt' },
  ]
  return {
    name: 'Xác nhận đơn tháng 11',
    templateId: template._id,
    messages: receivers.map(({ receiverPhone, customer_name }, at) => ({
      receiverPhone,
      params: { customer_name, order_code: `DH${at + 1}`, total_amount: '250000' },
    })),
  }
}
