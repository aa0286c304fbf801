import { sql } from 'kysely'
import { changeWallet } from '../modules/wallet/change-wallet.ts'
import { OA_ID } from './data.ts'
import type { DemoCustomer } from './people.ts'
import type { Seeding } from './seeding.ts'
import type { ApprovedTemplate } from './templates.ts'

const MESSAGES = 120
const FIRST_TOP_UP_VND = 2_000_000
const HOUR_MS = 3_600_000

type Entry = {
  id: string
  type: 'hold' | 'capture' | 'release'
  amount: number
  held_change: number
  balance_after: number
  held_after: number
  message_id: string
  created_at: string
}

/**
 * Seeds a topped-up wallet and the messages paid from it: most delivered, some refused. The rows are inserted as
 * sending would leave them: sending 120 messages would call the platform for each, with today's times.
 */
export async function seedMessages(
  seeding: Seeding,
  templates: ApprovedTemplate[],
  customers: DemoCustomer[],
): Promise<void> {
  const { trx, shopId, ids, now, random, at } = seeding
  const started = now.getTime() - (MESSAGES + 4) * 6 * HOUR_MS
  const topUp = {
    entryId: ids.next(),
    type: 'top_up',
    amount: FIRST_TOP_UP_VND,
    note: 'Nạp ví lần đầu',
  } as const
  let { balance } = await changeWallet(at(new Date(started)), shopId, topUp, { actor: 'service' })
  const entries: Entry[] = []
  const messages = templates.length === 0 ? [] : Array.from({ length: MESSAGES }, (_, n) => message(n))

  function message(n: number) {
    const id = ids.next()
    const template = templates[random(10) < 8 ? 0 : templates.length - 1]!
    const customer = customers[random(customers.length)]!
    const isUid = random(6) === 0
    const isRefused = random(10) === 0
    const at = new Date(started + (n + 1) * 6 * HOUR_MS + random(HOUR_MS))
    const fee = isUid ? template.priceUid : template.pricePhone
    const created_at = at.toISOString()
    const common = { message_id: id, created_at }
    balance -= fee
    entries.push({
      ...common,
      id: ids.next(),
      type: 'hold',
      amount: -fee,
      held_change: fee,
      balance_after: balance,
      held_after: fee,
    })
    if (isRefused) balance += fee
    entries.push({
      ...common,
      id: ids.next(),
      type: isRefused ? 'release' : 'capture',
      amount: isRefused ? fee : 0,
      held_change: -fee,
      balance_after: balance,
      held_after: 0,
    })
    return {
      id,
      template_id: template.id,
      platform_template_id: template.platformTemplateId,
      channel: isUid ? 'uid' : 'phone',
      phone: isUid ? '' : customer.phone,
      user_uid: isUid ? `71${customer.phone}` : '',
      params: Object.fromEntries(
        template.paramKeys.map((key) => [
          key,
          key === 'customer_name'
            ? customer.fullName.slice(0, 30)
            : key === 'otp'
              ? '***'
              : key === 'order_code'
                ? `DH${n + 1}`
                : '250000',
        ]),
      ),
      state: isRefused ? 'ERROR' : 'RECEIVED',
      fee,
      session_id: isRefused ? '' : `90071992547${String(41_000_000 + n)}`,
      error_code: isRefused ? '-118' : null,
      error_text: isRefused ? 'Số điện thoại chưa có tài khoản trên nền tảng' : null,
      sent_at: isRefused ? null : created_at,
      delivered_at: isRefused ? null : new Date(at.getTime() + 2_000).toISOString(),
      created_at,
    }
  }

  await sql`
    insert into messages (shop_id, id, template_id, platform_template_id, oa_id, channel, phone, user_uid, params, state,
      fee, session_id, error_code, error_text, sent_at, delivered_at, created_at, updated_at)
    select ${shopId}, m.id, m.template_id, m.platform_template_id, ${OA_ID}, m.channel, m.phone, m.user_uid, m.params,
      m.state, m.fee, m.session_id, m.error_code, m.error_text, m.sent_at, m.delivered_at, m.created_at, m.created_at
    from jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) as m (id text, template_id text,
      platform_template_id text, channel text, phone text, user_uid text, params jsonb, state text, fee bigint,
      session_id text, error_code text, error_text text, sent_at timestamptz, delivered_at timestamptz,
      created_at timestamptz)`.execute(trx)
  await sql`
    insert into message_events (shop_id, message_id, kind, detail, created_at)
    select m.shop_id, m.id, step.kind, step.detail, step.at
    from messages m
    cross join lateral (
      values
        (1, 'accepted', jsonb_build_object('fee', m.fee), m.created_at),
        (2, 'sent', jsonb_build_object('session_id', m.session_id), m.sent_at),
        (2, 'rejected', jsonb_build_object('code', m.error_code, 'text', m.error_text),
          case when m.state = 'ERROR' then m.created_at end),
        (3, 'receipt', jsonb_build_object('session_id', m.session_id, 'delivered_at', m.delivered_at), m.delivered_at)
    ) as step (place, kind, detail, at)
    where m.shop_id = ${shopId} and step.at is not null
    order by m.id, step.place`.execute(trx)
  await sql`
    insert into wallet_entries (shop_id, id, type, amount, held_change, balance_after, held_after, message_id,
      created_at)
    select ${shopId}, e.id, e.type, e.amount, e.held_change, e.balance_after, e.held_after, e.message_id,
      e.created_at
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e (id text, type text, amount bigint,
      held_change bigint, balance_after bigint, held_after bigint, message_id text,
      created_at timestamptz)`.execute(trx)
  await sql`update wallets set balance = ${balance} where shop_id = ${shopId}`.execute(trx)
}
