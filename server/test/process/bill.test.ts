import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  freePorts,
  manageOver,
  OPERATOR_TOKEN,
  type Running,
  run,
  startService,
  temporaryFolder,
} from '../support/process.ts'
import { makeSendingShop, type SendingShop } from '../support/sending.ts'

const folder = temporaryFolder()
/** The month in Vietnam. */
const MONTH = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 7)
const FEE = 200
let service: Running
let shop: SendingShop
/** The simulator's bill: a row for each message, oldest first. */
let billed: { msg_id: string; tracking_id: string; oaId: string; chargeVnd: number }[]

beforeAll(async () => {
  const ports = await freePorts()
  service = await startService({
    DATA_DIR: join(folder.path, 'data'),
    PLATFORM: 'simulator',
    SIMULATOR_REVIEW_MS: '0',
    ...ports,
  })
  shop = await makeSendingShop(service.url)
  for (const phone of ['0912345678', '0912345679', '0912345680', '0912345681']) await sendTo(phone)
  expect(await sendTo('0912340001')).toBe(400)
  const answer = await fetch(`http://127.0.0.1:${ports.SIMULATOR_PORT}/control/billing`)
  billed = ((await answer.json()) as { messages: typeof billed }).messages.toSorted((one, other) =>
    one.tracking_id < other.tracking_id ? -1 : 1,
  )
  expect(billed.map(({ chargeVnd }) => chargeVnd)).toEqual([FEE, FEE, FEE, FEE])
}, 60_000)
afterAll(async () => {
  await service?.end('SIGTERM')
  folder.remove()
})

async function sendTo(receiverPhone: string): Promise<number> {
  const answer = await shop.call('POST', '/api/external/notify-message/send', {
    templateId: shop.templateId,
    receiverPhone,
    params: { customer_name: 'An', order_code: 'DH1' },
  })
  return answer.status
}

const HEADER = 'oa_id,msg_id,tracking_id,amount'
const rows = () =>
  billed.map(({ oaId, msg_id, tracking_id, chargeVnd }) => [oaId, msg_id, tracking_id, chargeVnd].join())

async function compare(text: string | Buffer, args: string[] = [], name = `${MONTH}.csv`) {
  const file = join(folder.path, name)
  writeFileSync(file, text)
  const answer = await run(['--url', service.url, 'platform', 'bill', 'compare', file, ...args], {
    DATA_DIR: join(folder.path, 'data'),
    OPERATOR_TOKEN,
  })
  return { ...answer, lines: answer.out.trimEnd().split('\n'), file }
}

describe('G-74 shopbell platform bill compare', () => {
  it('rc 0 and both sums where the bill and the ledger agree, also a message found by our id only', async () => {
    const [first, ...others] = rows()
    const { oaId, tracking_id } = billed[0]!
    for (const bill of [
      [first, ...others],
      [`${oaId},another-id,${tracking_id},${FEE}`, ...others],
    ]) {
      const { code, out, err } = await compare(`\ufeff${HEADER}\r\n${bill.join('\r\n')}\r\n`)
      expect([code, out, err]).toEqual([
        0,
        '0 differences in 5 messages of the ledger; bill 800 đồng, ledger 800 đồng\n',
        '',
      ])
    }
  })

  it('rc 1 where the bill has a message twice under our id', async () => {
    const [, ...others] = rows()
    const { oaId, tracking_id } = billed[0]!
    const twice = ['first', 'second'].map((msgId) => `${oaId},${msgId},${tracking_id},${FEE}`)
    const { code, out } = await compare(`${HEADER}\n${[...twice, ...others].join('\n')}\n`)
    expect([code, out]).toEqual([1, expect.stringContaining('second')])
  })

  it('rc 1 and a line for each difference, with the line of the bill', async () => {
    const { data } = (await manageOver(service.url, 'GET', `/shops/${shop.shopId}/charges?month=${MONTH}`))
      .body
    const refused = data.find((one: { status: string }) => one.status === 'ERROR').messageId
    const [first, second, third] = rows() as [string, string, string, string]
    const bill = [
      HEADER,
      first.replace(/,200$/, ',300'),
      second,
      second,
      third,
      `${billed[0]!.oaId},never-sent,,200`,
      `${billed[0]!.oaId},was-refused,${refused},200`,
    ]
    const { code, lines } = await compare(bill.join('\n'))
    const of = (id: string) => `message ${id} of shop ${shop.shopId}`
    expect(code).toBe(1)
    expect(lines.toSorted()).toEqual(
      [
        `line 4: message ${billed[1]!.msg_id} is already on line 3, 200 đồng`,
        `line 2: ${of(billed[0]!.tracking_id)} is billed 300 đồng, charged 200 đồng`,
        `line 7: ${of(refused)} is billed 200 đồng, its fee was released`,
        `${of(billed[3]!.tracking_id)} is not on the bill, charged 200 đồng`,
        'line 6: message never-sent is in no ledger, billed 200 đồng',
        '5 differences in 5 messages of the ledger; bill 1300 đồng, ledger 800 đồng',
      ].toSorted(),
    )
  })

  it('with --json an object a line; with --oa that account only; with --month another name of the file', async () => {
    const other = await compare(
      `${HEADER}\n${rows().join('\n')}`,
      ['--oa', 'another', '--month', MONTH, '--json'],
      'bill.csv',
    )
    expect([other.code, JSON.parse(other.out)]).toEqual([
      0,
      { differences: 0, messages: 0, billed: 0, charged: 0 },
    ])
    const { code, lines } = await compare(`${HEADER}\n${rows().slice(1).join('\n')}`, ['--json'])
    expect([code, JSON.parse(lines[0]!)]).toEqual([
      1,
      {
        kind: 'not-on-bill',
        shopId: shop.shopId,
        messageId: billed[0]!.tracking_id,
        msgId: billed[0]!.msg_id,
        charged: FEE,
      },
    ])
  })

  it.each([
    ['a missing column', 'msg_id,price\n1,200', 'has no column amount'],
    ['no rows', `${HEADER}\n`, 'has no rows'],
    ['an empty file', '', 'has no rows'],
    [
      'rows that are wrong',
      `${HEADER}\na,1,,200\na,,,200\na,2,,2.5\n`,
      'line 3: msg_id is empty; line 4: amount',
    ],
    ['a row of another length', `${HEADER}\na,1,,200\na,1\n`, 'line 3'],
    ['bytes that are not UTF-8', Buffer.from([0x6d, 0xff, 0xfe]), 'is not text in UTF-8'],
  ])('%s: rc 1, one line that names it, and nothing compared', async (_, text, says) => {
    const { code, out, err } = await compare(text)
    expect([code, out, err.trimEnd().split('\n').length]).toEqual([1, '', 1])
    expect(err).toContain(says)
  })

  it('a file that does not exist, and one whose month is unknown', async () => {
    const { err } = await compare(HEADER, [], 'bill.csv')
    expect(err).toContain('give --month 2026-11')
    const missing = await run(['platform', 'bill', 'compare', join(folder.path, '2026-10.csv')], {
      DATA_DIR: join(folder.path, 'data'),
      OPERATOR_TOKEN,
    })
    expect([missing.code, missing.out]).toEqual([1, ''])
    expect(missing.err).toContain('no such file')
  })
})
