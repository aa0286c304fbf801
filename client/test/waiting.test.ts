import { describe, expect, it, vi } from 'vitest'
import { createShopbell } from '../src/index.ts'
import { answering, errorOf, makeClient, operator, refusal } from './support.ts'

const lost = () => new TypeError('the connection broke')
const recipientLimit = { code: 'RECIPIENT_LIMIT' }

/** The pauses that a client makes; they end at once. */
async function pausesOf(work: () => Promise<unknown>): Promise<number[]> {
  const pauses: number[] = []
  const real = setTimeout
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms = 0) => {
    // Pauses of other code are not changed.
    if (!new Error().stack!.includes('send-safely')) return real(run, ms)
    pauses.push(ms)
    return real(run, 0)
  }) as typeof setTimeout)
  try {
    await work()
  } finally {
    spy.mockRestore()
  }
  return pauses
}

describe('what is waited for', () => {
  it('429 and 503 for as long as Retry-After says, 429 as often as it comes, with a little jitter', async () => {
    const often = Array.from({ length: 6 }, () => refusal(429, 3_600))
    const { fetch } = answering(...often, refusal(503, 600))
    const { shop } = await makeClient({ fetch })
    const pauses = await pausesOf(() => shop.products.create({ name: 'Áo len', price: 1 }))
    expect(pauses.map((ms) => Math.floor(ms / 1000))).toEqual([...often.map(() => 3_600), 600])
    expect(new Set(pauses).size).toBe(pauses.length)
  })

  it('nothing that would end after the call’s deadline, nor beyond maxWaitMs: the answer is given at once', async () => {
    for (const options of [{ deadlineMs: 30_000 }, { maxWaitMs: 30_000 }, { retries: 0 }]) {
      const { fetch, requests } = answering(refusal(429, 31))
      const { shop } = await makeClient({ fetch, ...options })
      expect(await errorOf(shop.wallet.get())).toMatchObject({ status: 429, retryAfter: 31 })
      expect(requests.length).toBe(1)
    }
    const { fetch } = answering(refusal(503, 31))
    const { shop } = await makeClient({ fetch })
    expect(await errorOf(shop.wallet.get(undefined, { deadlineMs: 30_000 }))).toMatchObject({ status: 503 })
  })

  it('not a limit on one recipient: that refusal is the caller’s', async () => {
    const { fetch, requests } = answering(refusal(429, 600, recipientLimit))
    const { shop } = await makeClient({ fetch })
    const message = { templateId: '1', receiverPhone: '0912345678', params: {} }
    expect(await errorOf(shop.messages.sendToPhone(message))).toMatchObject({
      ...recipientLimit,
      status: 429,
    })
    expect(requests.length).toBe(1)
  })

  it('a signal ends a wait, and the deadline a call that is not answered', async () => {
    const stop = new AbortController()
    const { fetch } = answering(refusal(429, 3_600))
    const { shop } = await makeClient({ fetch })
    const waiting = shop.wallet.get(undefined, { signal: stop.signal })
    setTimeout(() => stop.abort(new Error('enough')), 50)
    await expect(waiting).rejects.toThrow('enough')

    const never = (request: Request) =>
      new Promise<Response>((_resolve, reject) =>
        request.signal.addEventListener('abort', () => reject(request.signal.reason)),
      )
    const { shop: silent } = await makeClient({ fetch: never, deadlineMs: 50 })
    expect(await errorOf(silent.wallet.get())).toMatchObject({ name: 'TimeoutError' })
  })
})

describe('what is repeated', () => {
  it('reads and keyed writes after a lost answer, 500, 502, 503, 504, under the same key', async () => {
    for (const failure of [lost, ...[500, 502, 503, 504].map((status) => () => refusal(status))]) {
      const { fetch, requests } = answering(failure(), failure(), failure())
      const { shop } = await makeClient({ fetch })
      const pauses = await pausesOf(() => shop.customers.create({ fullName: 'Trần Bình' }))
      expect(pauses.length).toBe(3)
      expect(new Set(requests.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
    }
    const { fetch } = answering(lost(), lost(), lost(), lost())
    const { shop } = await makeClient({ fetch })
    await pausesOf(async () =>
      expect(await errorOf(shop.wallet.get())).toMatchObject({ message: lost().message }),
    )
  })

  it('no management POST and no DELETE whose answer was lost; both after 429, a DELETE after 503', async () => {
    const manage = (fetch: (request: Request) => Promise<Response>) =>
      createShopbell({ baseUrl: 'http://127.0.0.1:9', fetch }).management
    for (const failure of [lost(), refusal(502), refusal(503, 0)]) {
      const { fetch, requests } = answering(failure)
      expect(await errorOf(manage(fetch).createShop({ name: 'Hoa' }))).toBeDefined()
      expect([requests.length, requests[0]!.headers.get('idempotency-key')]).toEqual([1, null])
    }
    const limited = answering(refusal(429, 0), Response.json({ data: {} }))
    await manage(limited.fetch).createShop({ name: 'Hoa' })
    expect(limited.requests.length).toBe(2)

    const id = 'f'.repeat(24)
    for (const [failure, count] of [
      [lost(), 1],
      [refusal(502), 1],
      [refusal(503, 0), 2],
    ] as const) {
      const { fetch, requests } = answering(failure, refusal(404))
      const { shop } = await makeClient({ fetch })
      expect(await errorOf(shop.categories.delete(id))).toBeDefined()
      expect(requests.length).toBe(count)
    }
  })

  it('wallet entries of the management API: their key is kept', async () => {
    const { data } = await operator().management.createShop({ name: 'Tiệm Hoa' })
    const sent: (string | null)[] = []
    const shop = operator({
      fetch: async (request) => {
        sent.push(request.headers.get('idempotency-key'))
        const response = await fetch(request)
        if (sent.length === 1) throw lost()
        return response
      },
    })
    await shop.management.createShopWalletEntry(data.shop._id, {
      type: 'top_up',
      amount: 5_000,
      note: 'Nạp ví',
    })
    expect([sent.length, new Set(sent).size]).toEqual([2, 1])
    expect((await shop.management.getShopWallet(data.shop._id)).data.balance).toBe(5_000)
  })
})
