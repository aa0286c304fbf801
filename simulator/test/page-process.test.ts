import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { approvedTemplate, honestTemplate, startPlatform, VALUES, waitFor } from './simulator.ts'

describe('page', () => {
  it('shows messages and pending templates with everything escaped, and decides by form', async () => {
    const platform = await startPlatform({ reviewMs: -1 })
    const id = await approvedTemplate(platform)
    const evil = '<script>alert("x")</script>'
    const data = { ...VALUES, order_code: evil }
    await platform.post('/message/template', { phone: '84901230008', template_id: id, template_data: data })
    const name = `Pending ${evil}`
    const { data: created } = await platform.post('/template/create', honestTemplate({ template_name: name }))
    const pending = (created as { template_id: string }).template_id

    const page = await platform.app.inject('/')
    expect(page.body).toContain('Xin chào Nguyễn Lan')
    expect(page.body).toContain('Pending &#60;script&#62;')
    expect(page.body).not.toContain('alert("x")')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")

    const form = await platform.app.inject({
      method: 'POST',
      url: `/control/templates/${pending}/reject`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'reason=Thi%E1%BA%BFu+logo',
    })
    expect([form.statusCode, form.headers.location]).toEqual([303, '/'])
    expect((await platform.app.inject('/')).body).toContain('Thiếu logo')
    expect((await platform.app.inject(`/preview/${pending}`)).body).toContain('Xin chào Lan')
    await platform.close()
  })
})

describe('state file', () => {
  it('keeps templates, tokens and which refresh tokens were used over a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'simulator-'))
    const statePath = join(folder, 'state.json')
    const first = await startPlatform({ statePath })
    const id = await approvedTemplate(first)
    const refresh = {
      method: 'POST',
      url: '/v4/oa/access_token',
      headers: { secret_key: 's', 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'refresh_token=simr:oa1&app_id=1&grant_type=refresh_token',
    } as const
    const token = String((await first.app.inject(refresh)).json().access_token)
    await first.close()

    const second = await startPlatform({ statePath })
    const send = { phone: '84901234567', template_id: id, template_data: VALUES }
    expect(await second.post('/message/template', send)).toMatchObject({ error: 0 })
    const { data } = await second.post('/template/create', honestTemplate({ template_name: 'Next' }))
    expect((data as { template_id: string }).template_id).not.toBe(id)
    expect(await second.get('/message/quota', token)).toMatchObject({ error: 0 })
    expect((await second.app.inject(refresh)).json()).toMatchObject({ error: -14014 })
    await second.close()
    rmSync(folder, { recursive: true })
  })
})

describe('process', () => {
  it('prints its address and ends with 0 on SIGTERM, even while a call hangs', async () => {
    const child = spawn(process.execPath, [new URL('../src/main.ts', import.meta.url).pathname], {
      env: { ...process.env, SIMULATOR_PORT: '0' },
    })
    let output = ''
    child.stdout.on('data', (part) => {
      output += part
    })
    const url = await waitFor(() => /http:\S+/.exec(output)?.[0], 4000)
    expect(output.trim().split('\n')).toHaveLength(1)
    await fetch(`${url}/control/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '[{"kind":"hang"}]',
    })
    const hanging = fetch(`${url}/message/quota`).catch(() => 'cut')
    await new Promise((resolve) => setTimeout(resolve, 50))
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(await hanging).toBe('cut')
  })

  it('refuses a setting that is not a number', async () => {
    const child = spawn(process.execPath, [new URL('../src/main.ts', import.meta.url).pathname], {
      env: { ...process.env, SIMULATOR_PORT: 'many' },
    })
    let problem = ''
    child.stderr.on('data', (part) => {
      problem += part
    })
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(1)
    expect(problem).toContain('SIMULATOR_PORT')
  })
})
