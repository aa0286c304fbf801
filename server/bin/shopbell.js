#!/usr/bin/env node
// Runs the command line on Node 24 whatever the host's own Node is: the sources are TypeScript, which an
// older one cannot read.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { startAgainForService } from './start-again.js'

const cli = fileURLToPath(new URL('../src/process/cli/main.ts', import.meta.url))
const [major, minor] = process.versions.node.split('.').map(Number)

if (major > 22 || (major === 22 && minor >= 18)) {
  startAgainForService()
  await import(cli)
} else {
  const require = createRequire(import.meta.url)
  const node = require.resolve('node/bin/node')
  const { status, signal } = spawnSync(node, [cli, ...process.argv.slice(2)], { stdio: 'inherit' })
  if (signal !== null) process.kill(process.pid, signal)
  process.exitCode = status ?? 1
}
