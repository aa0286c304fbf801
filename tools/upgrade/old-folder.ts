import { deepEqual } from 'node:assert/strict'
import { OPERATOR_TOKEN, startVersion } from './process.ts'

const ROUTES = [
  '/api/external/v1/products?limit=50',
  '/api/external/v1/orders?limit=50',
  '/api/external/v1/customers?limit=50',
]
const SHOPS = '/api/manage/v1/shops'

/**
 * Lets the version in `oldRoot` create a data folder with the demo, and the one in `newRoot` open it.
 * @throws AssertionError when the newer one shows other records.
 */
export async function openOldFolder(oldRoot: string, newRoot: string, folder: string): Promise<void> {
  const settings = { DATA_DIR: folder, PORT: '0', SIMULATOR_PORT: '0' }
  const old = await startVersion(oldRoot, settings)
  const key = await demoKeyOf(old.url)
  const before = await idsOf(old.url, key)
  await old.end()
  const now = await startVersion(newRoot, { ...settings, DEMO: '0' })
  const after = await idsOf(now.url, key)
  await now.end()
  deepEqual(after, before)
}

/** Creates a key for the demo's shop, because the output at a start differs between versions. */
async function demoKeyOf(url: string): Promise<string> {
  const manage = async <T>(path: string, body?: object): Promise<T> => {
    const answer = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { data: T }).data
  }
  const [shop] = await manage<{ _id: string }[]>(SHOPS)
  const { apiKey } = await manage<{ apiKey: string }>(`${SHOPS}/${shop!._id}/keys`, { name: 'upgrade' })
  return apiKey
}

/** The ids of each list, by its route. @throws when one is empty: it would prove nothing. */
async function idsOf(url: string, key: string): Promise<Record<string, string[]>> {
  const ids: Record<string, string[]> = {}
  for (const route of ROUTES) {
    const answer = await fetch(url + route, { headers: { 'x-api-key': `service-partner ${key}` } })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${route}: ${answer.status} ${text}`)
    ids[route] = [...text.matchAll(/"_id":"([0-9a-f]{24})"/g)].map(([, id]) => id!)
    if (ids[route].length === 0) throw new Error(`${route} shows nothing`)
  }
  return ids
}
