import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { freePort, startNode, stopChild } from '../tools/shared/child-process.ts'
import { waitUntil } from '../tools/shared/wait.ts'
import { AUDIENCES, batchBody } from './screens.ts'

export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const MAIN = fileURLToPath(new URL('../server/src/process/cli/main.ts', import.meta.url))
const SET_CLOCK = new URL('./set-clock.ts', import.meta.url).href

export type DemoService = {
  url: string
  email: string
  password: string
  apiKey: string
  /** Ends the service and removes its folder. */
  stop(): Promise<void>
}

/**
 * Starts the service with the demo's shop and its simulator, on free ports in a temporary folder. `at` is the time that
 * they take it to be at their start: the demo's records, of the same time, are the same.
 */
export async function startDemo({ at }: { at?: Date } = {}): Promise<DemoService> {
  const folder = mkdtempSync(join(tmpdir(), 'shopbell-demo-'))
  const [port, simulatorPort] = await Promise.all([freePort(), freePort()])
  const { child, output } = await startNode({
    args: [MAIN, 'serve'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: folder,
      DEMO: '1',
      CONSOLE: '1',
      PORT: String(port),
      SIMULATOR_PORT: String(simulatorPort),
      RATE_LIMIT_PER_MINUTE: '100000',
      SESSION_RATE_LIMIT_PER_MINUTE: '100000',
      LOG_LEVEL: 'warn',
      ...(at && {
        NODE_OPTIONS: `--import ${SET_CLOCK}`,
        CLOCK_AHEAD_MS: String(at.getTime() - Date.now()),
      }),
    },
    ready: /API document/,
  })
  const [, url] = /ready at (\S+)/.exec(output) ?? []
  const [, email, password] = /sign in: (\S+) \/ (\S+)\)/.exec(output) ?? []
  const [, apiKey] = /demo API key\s+(\S+)/.exec(output) ?? []
  if (!url || !email || !password || !apiKey) throw new Error(`the service did not start:\n${output}`)
  const stop = async () => {
    await stopChild(child)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return { url, email, password, apiKey, stop }
}

/** Signs in the demo's owner on a page that shows the sign-in. */
export async function signIn(page: Page, { email, password }: DemoService): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Mật khẩu').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Tổng quan' }).waitFor()
}

/** Waits until no part of the page shows that it is loading. */
export async function isLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  while ((await page.getByRole('status', { name: /^(Đang tải|Loading)$/ }).count()) > 0)
    await page.waitForTimeout(50)
}

/** Calls the service: the external API with the demo's key, any other with the page's session. */
export function call(
  page: Page,
  { apiKey }: DemoService,
  path: string,
  options: Parameters<Page['request']['fetch']>[1] = {},
) {
  const headers: Record<string, string> = path.startsWith('/api/external')
    ? { 'x-api-key': `service-partner ${apiKey}` }
    : {}
  return page.request.fetch(path, { ...options, headers })
}

/** Creates a batch, so that its screen has content, and waits until its messages have been delivered. */
export async function makeBatch(page: Page, service: DemoService): Promise<void> {
  const answer = await call(page, service, '/api/external/notify-template?status=ENABLE')
  const { templates } = await answer.json()
  const made = await call(page, service, '/api/external/notify-message/batches', {
    method: 'POST',
    data: batchBody(templates),
  })
  if (made.status() !== 202) throw new Error(`the batch was answered ${made.status()}`)
  const { accepted } = (await made.json()).data
  const isDelivered = async () => {
    const { days } = (await (await call(page, service, '/api/external/overview')).json()).data
    return days.at(-1).delivered >= accepted
  }
  if (!(await waitUntil(isDelivered, { everyMs: 100, withinMs: 30_000 }))) {
    throw new Error('the messages of the batch were not delivered')
  }
}

/** Creates typical audiences. */
export async function makeAudiences(page: Page, service: DemoService): Promise<void> {
  for (const data of AUDIENCES) {
    const made = await call(page, service, '/api/external/v1/audiences', { method: 'POST', data })
    if (made.status() !== 201) throw new Error(`the audience was answered ${made.status()}`)
  }
}
