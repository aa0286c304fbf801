import { buildSimulator } from './app.ts'

function numberFrom(name: string): number | undefined {
  const text = process.env[name]
  if (text === undefined || text === '') return undefined
  const value = Number(text)
  if (Number.isFinite(value)) return value
  process.stderr.write(`${name} must be a number, not "${text}"\n`)
  process.exit(1)
}

const host = process.env.SIMULATOR_HOST || '127.0.0.1'
let webhookUrl = process.env.SIMULATOR_WEBHOOK_URL ?? ''

const app = buildSimulator({
  webhookUrl: () => webhookUrl,
  reviewMs: numberFrom('SIMULATOR_REVIEW_MS'),
  host,
  secret: process.env.SIMULATOR_SECRET || undefined,
  appSecret: process.env.SIMULATOR_APP_SECRET || undefined,
  seed: numberFrom('SIMULATOR_SEED'),
  statePath: process.env.SIMULATOR_STATE || undefined,
})

function end(): void {
  app.close().then(
    () => process.exit(0),
    () => process.exit(1),
  )
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end)

try {
  const address = await app.listen({
    port: numberFrom('SIMULATOR_PORT') ?? 3001,
    host,
  })
  process.stdout.write(`Simulator of the messaging platform: ${address}\n`)
  // If the service started it, the simulator reports its address, receives the address for events, and ends when the
  // service ends, for whatever reason.
  if (process.send) {
    process.send({ url: address })
    process.on('message', (message) => {
      webhookUrl = (message as { webhookUrl: string }).webhookUrl
    })
    process.once('disconnect', end)
  }
} catch (error) {
  process.stderr.write(`The simulator could not start: ${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}
