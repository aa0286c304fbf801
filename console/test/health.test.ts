import { describe, expect, it } from 'vitest'
import { http } from '../../server/test/support/process.ts'
import { batchBody } from '../screens.ts'
import { expectAccessible, startConsole } from './support.ts'

const console = await startConsole()

describe('health', () => {
  /** Leaves two failed imports: one unfinished, and one whose file is gone. */
  async function failImports(): Promise<void> {
    const started = await fetch(`${console.url}/api/external/v1/products/import`, {
      method: 'POST',
      headers: { 'x-api-key': `service-partner ${console.demoKey}`, 'content-type': 'text/csv' },
      body: 'name,price,itemSku\nĐèn mây,1000,\n',
    })
    const { data } = (await started.json()) as { data: { _id: string } }
    const path = `/api/external/v1/products/imports/${data._id}`
    await expect.poll(async () => (await console.api('GET', path)).body.data.status).toBe('done')
    await console.whileStopped(`
      update product_imports set status = 'writing', finished_at = null where id = '${data._id}';
      update pgboss.job
      set state = 'failed', completed_on = now(), output = '{"message": "Error: mất kết nối"}'
      where name = 'import-products' and data ->> 'importId' = '${data._id}';
      insert into pgboss.job (name, state, completed_on, data)
      select name, 'failed', now(), data || '{"importId": "none"}'
      from pgboss.job where name = 'import-products' and state = 'failed'`)
  }

  /** Makes the platform fail until it is no longer called. */
  async function openCircuit(): Promise<void> {
    const faults = (list: object[]) => http(console.simulatorUrl, 'POST', '/control/faults', list)
    await faults([{ kind: '5xx', endpoint: '/message/template', share: 1 }])
    const { templates } = (await console.api('GET', '/api/external/notify-template?status=ENABLE')).body
    const { messages, ...batch } = batchBody(templates)
    const many = Array.from({ length: 20 }, (_, n) => ({
      ...messages[0],
      receiverPhone: `09120004${10 + n}`,
    }))
    await console.api('POST', '/api/external/notify-message/batches', { ...batch, messages: many })
    await expect
      .poll(async () => JSON.stringify((await console.api('GET', '/api/external/official-accounts')).body), {
        timeout: 30_000,
      })
      .toContain('"state":"open"')
    await faults([])
  }

  it('runs a failed job again or drops it, and tries the platform again, each after asking, at 1440 and 390 px', async () => {
    await failImports()
    const page = await console.open('/operator?tab=health')
    const confirm = async (name: string) => {
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name, exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    const jobs = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'Xóa', exact: true }) })
    const failed = jobs.filter({ hasText: 'Error: mất kết nối' })
    await failed.waitFor()
    await expectAccessible(page)
    await failed.getByRole('button', { name: 'Chạy lại' }).click()
    await confirm('Chạy lại')
    await page.getByText('Việc sẽ chạy lại trong vài giây').waitFor()
    await failed.waitFor({ state: 'detached' })

    await page.setViewportSize({ width: 390, height: 844 })
    await jobs.filter({ hasText: 'Không còn cần' }).waitFor()
    expect(await jobs.getByRole('button', { name: 'Chạy lại' }).count()).toBe(0)
    await expectAccessible(page)
    await jobs.getByRole('button', { name: 'Xóa', exact: true }).click()
    await confirm('Xóa')
    await page.getByText('Đã xóa việc').waitFor()
    await page.getByText('Việc bị lỗi: Nhập sản phẩm từ tệp').waitFor({ state: 'detached' })

    await openCircuit()
    await page.reload()
    await page.getByRole('button', { name: 'Thử lại ngay' }).first().click()
    await expectAccessible(page)
    await confirm('Thử lại ngay')
    await page.getByText('Tin tiếp theo sẽ thử gọi lại nền tảng').waitFor()
    await page.goto('/operator?tab=audit')
    for (const name of ['Chạy lại việc bị lỗi', 'Xóa việc bị lỗi', 'Thử lại nền tảng ngay'])
      await page.getByText(name, { exact: true }).first().waitFor()
  }, 120_000)
})
