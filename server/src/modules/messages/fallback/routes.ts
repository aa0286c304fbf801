import type { Deps } from '../../../deps.ts'
import { Unauthorized } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import type { GuessLimits } from '../../../http/limits/guess-limits.ts'
import { receiveSmsReport } from './receive-report.ts'

/**
 * Where the providers of SMS report. Reports are not signed: the address is the proof, since only the sender's provider knows it.
 */
export function smsReportRoutes(app: App, deps: Deps, limits: GuessLimits): void {
  app.get('/hooks/sms/:shop/:key', { schema: { hide: true } }, async (request, reply) => {
    const { shop, key } = request.params as { shop: string; key: string }
    const query = request.raw.url?.split('?', 2)[1] ?? ''
    const report = { rawBody: Buffer.from(query), addressKey: key, header: () => undefined }
    await receiveSmsReport(deps, shop, report).catch(async (error: unknown) => {
      if (error instanceof Unauthorized) await limits.countSignature(request, reply)
      throw error
    })
    return { ok: true }
  })
}
