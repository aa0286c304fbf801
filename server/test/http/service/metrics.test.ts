import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { BATCHES, batchTo, makeBatchShop, PLAIN_VALUES, phones } from '../../support/batches.ts'
import { freePorts } from '../../support/process.ts'
import { eventually, send, separateService, service } from '../../support/service.ts'

const running = await service()
const DEPLOY = fileURLToPath(new URL('../../../../deploy/', import.meta.url))
const read = (file: string) => readFileSync(DEPLOY + file, 'utf8')

/** The names of a service's metrics; those of a histogram without their suffixes. */
async function metricNames(): Promise<Set<string>> {
  const { body } = await send(running, 'GET', '/metrics')
  return new Set([...String(body).matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1]!))
}

function usedNames(text: string): string[] {
  const names = [...text.matchAll(/\b(?:shopbell|process|nodejs)_\w+/g)].map(([name]) => name)
  return [...new Set(names.map((name) => name.replace(/_(bucket|count|sum)$/, '')))]
}

describe('metrics', () => {
  it('of the dashboard and the alert rules are all in /metrics', async () => {
    const names = await metricNames()
    const { panels } = JSON.parse(read('grafana/shopbell.json'))
    const queries = panels
      .flatMap(({ targets }: { targets: { expr: string }[] }) => targets)
      .map(({ expr }: { expr: string }) => expr)
    const used = [...usedNames(queries.join(' ')), ...usedNames(read('prometheus/alerts.yml'))]
    expect(used.length).toBeGreaterThan(20)
    expect(used.filter((name) => !names.has(name))).toEqual([])
  })

  it('a database that is away, mail that fails, switched-off webhook endpoints, a busy event loop and messages past their own time-out raise an alert', () => {
    const rules = read('prometheus/alerts.yml')
    for (const expr of [
      'sum(increase(shopbell_webhook_endpoints_disabled_total[1h])) > 0',
      'max by (instance) (shopbell_event_loop_busy_max_seconds) > 0.5',
      'min(shopbell_database_ready) == 0',
      'sum(increase(shopbell_mails_total{outcome="failed"}[30m])) > 0',
      'max(shopbell_queue_oldest_seconds{queue="unknown"}) > 300',
    ])
      expect(rules).toContain(`expr: ${expr}\n`)
    expect(rules).not.toContain('shopbell_message_unknown_oldest_seconds')
  })

  it('count a call of the platform, open messages and what is held for them', async () => {
    const made = await makeBatchShop(running)
    const sent = await made.shop.post('/api/external/notify-message/send', {
      templateId: made.template.id,
      receiverPhone: phones(1)[0],
      params: PLAIN_VALUES,
    })
    expect(sent.status).toBe(200)
    const later = new Date(Date.now() + 3_600_000).toISOString()
    expect((await made.shop.post(BATCHES, batchTo(made, phones(3), { scheduledAt: later }))).status).toBe(202)
    const value = async (name: string, ...labels: string[]) => {
      const line = String((await send(running, 'GET', '/metrics')).body)
        .split('\n')
        .find((one) => one.startsWith(`${name}{`) && labels.every((label) => one.includes(label)))
      return Number(line?.split(' ').at(-1))
    }
    expect(await value('shopbell_messages_open', 'state="queued"')).toBeGreaterThanOrEqual(1)
    expect(await value('shopbell_wallet_held_vnd')).toBeGreaterThanOrEqual(600)
    const calls = ['endpoint="sendToPhone"', 'outcome="ok"']
    // If the platform takes longer than a caller waits, its response arrives later.
    await eventually(
      async () => (await value('shopbell_platform_call_duration_seconds_count', ...calls)) >= 1,
    )
  })

  it('401 without METRICS_TOKEN where it is set, and through a proxy or from another machine where it is not', async () => {
    const status = async (headers: Record<string, string>, remoteAddress = '127.0.0.1', of = running) =>
      (await of.app.inject({ url: '/metrics', headers, remoteAddress })).statusCode
    expect(await status({})).toBe(200)
    expect(await status({ 'x-forwarded-for': '127.0.0.1' })).toBe(401)
    expect(await status({}, '10.1.2.3')).toBe(401)
    const token = 'a-token-of-the-metrics'
    const guarded = await separateService({ metrics: { token, port: undefined } })
    expect(await status({}, '127.0.0.1', guarded)).toBe(401)
    expect(await status({ authorization: `Bearer ${token}x` }, '127.0.0.1', guarded)).toBe(401)
    expect(await status({ authorization: `Bearer ${token}` }, '10.1.2.3', guarded)).toBe(200)
  })

  it('404 at the service’s port with METRICS_PORT, 200 at that one', async () => {
    const port = Number((await freePorts()).PORT)
    const moved = await separateService({ metrics: { token: undefined, port } })
    expect((await moved.app.inject('/metrics')).statusCode).toBe(404)
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
    expect([answer.status, (await answer.text()).includes('shopbell_redis_away{')]).toEqual([200, true])
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(404)
  })
})
