#!/usr/bin/env node
import { startAgainForService } from './start-again.js'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(`shopbell: Node 22.13 or newer is needed; this is ${process.versions.node}\n`)
  process.exit(1)
}
startAgainForService()
await import('../server/main.js')
