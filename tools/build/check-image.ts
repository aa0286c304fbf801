import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../shared/child-process.ts'
import { ROOT } from './bundle.ts'
import { useService } from './check-package.ts'

/**
 * Builds the image of deploy/docker/Dockerfile without a container engine, and uses it: each instruction is carried out
 * in a folder that is entered with chroot, with Debian from debootstrap and the running Node in place of the base
 * image. It checks the instructions, the user's permissions, the health check, and that the package runs without
 * anything else, but not the engine, its network and its volumes. Needs root, debootstrap and the packages of Debian
 * and npm.
 * @throws AssertionError, Error
 */
type Instruction = { name: string; value: string }
type Stage = { name: string; from: string; steps: Instruction[] }
/** The settings that instructions leave for the following ones. */
type Settings = { env: Record<string, string>; folder: string; user: string }

const SUITE = 'trixie'
const BASE = `node:24-${SUITE}-slim`
const run = promisify(execFile)
const BIG = { maxBuffer: 1 << 28 }
/** This machine's certificates for the package registries; not part of the image. */
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'

const folder = mkdtempSync(join(tmpdir(), 'shopbell-image-'))
try {
  const stages = readStages(readFileSync(join(ROOT, 'deploy/docker/Dockerfile'), 'utf8'))
  const base = join(folder, 'base')
  await makeBase(base)
  let made: { root: string; settings: Settings; stage: Stage } | undefined
  for (const stage of stages) {
    assert.equal(stage.from, BASE)
    const root = join(folder, stage.name)
    await run('cp', ['-a', base, root])
    made = { root, settings: await carryOut(stage, root), stage }
  }
  await useImage(made!)
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

function readStages(text: string): Stage[] {
  const lines = text.replace(/\\\n/g, ' ').split('\n')
  const stages: Stage[] = []
  for (const line of lines) {
    const [, name, value] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) continue
    const [from, , as] = value.split(' ')
    if (name === 'FROM') stages.push({ from: from!, name: as ?? 'last', steps: [] })
    else stages.at(-1)!.steps.push({ name, value })
  }
  return stages
}

/** Installs Debian, and Node with npm where the base image has them. */
async function makeBase(root: string): Promise<void> {
  await run('debootstrap', ['--variant=minbase', '--include=ca-certificates', SUITE, root], BIG)
  // Set by `npm run`: …/npm/bin/npm-cli.js.
  const npm = join(process.env.npm_execpath!, '../..')
  cpSync(process.execPath, join(root, 'usr/local/bin/node'))
  cpSync(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true })
  for (const name of ['npm', 'npx'])
    await run('ln', ['-s', `../lib/node_modules/npm/bin/${name}-cli.js`, join(root, 'usr/local/bin', name)])
  for (const file of ['/etc/resolv.conf', CERTIFICATES])
    if (existsSync(file)) cpSync(file, join(root, file), { dereference: true })
}

async function carryOut(stage: Stage, root: string): Promise<Settings> {
  const settings: Settings = { env: {}, folder: '/', user: 'root' }
  for (const { name, value } of stage.steps) {
    process.stdout.write(`${stage.name}: ${name} ${value.slice(0, 100)}\n`)
    if (name === 'RUN') await inside(root, settings, ['sh', '-c', value])
    else if (name === 'COPY') await copyInto(root, settings, value)
    else if (name === 'WORKDIR') mkdirSync(join(root, value), { recursive: true })
    if (name === 'WORKDIR') settings.folder = value
    if (name === 'USER') settings.user = value
    if (name === 'ENV')
      for (const pair of value.split(' ')) {
        const at = pair.indexOf('=')
        settings.env[pair.slice(0, at)] = pair.slice(at + 1)
      }
  }
  return settings
}

async function copyInto(root: string, { folder: at }: Settings, value: string): Promise<void> {
  const [, stage, from, to] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(value)!
  if (stage !== undefined) return cpSync(join(folder, stage, from!), join(root, to!))
  assert.equal(from, '.')
  // The context is the tracked files, as in a checkout; of these, .dockerignore excludes only pictures.
  const archive = join(folder, 'context.tar')
  const { stdout } = await run('git', ['stash', 'create'], { cwd: ROOT })
  await run('git', ['archive', '--output', archive, stdout.trim() || 'HEAD'], { cwd: ROOT })
  await run('tar', ['-xf', archive, '-C', join(root, at)])
}

/** The command line that runs `command` in the image as its user. */
function entering(root: string, { env, folder: at, user }: Settings, command: string[]): string[] {
  const home = user === 'root' ? '/root' : `/home/${user}`
  const set = Object.entries({ PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', HOME: home, ...env })
  return [
    'chroot',
    `--userspec=${user}`,
    root,
    'env',
    '-i',
    ...set.map(([name, value]) => `${name}=${value}`),
    'sh',
    '-c',
    `cd ${at} && exec "$@"`,
    basename(command[0]!),
    ...command,
  ]
}

async function inside(root: string, settings: Settings, command: string[]): Promise<string> {
  const env = { NODE_EXTRA_CA_CERTS: CERTIFICATES, ...settings.env }
  const [program, ...args] = entering(root, { ...settings, env }, command)
  // Its own /proc and /dev, which disappear with it.
  const mounted = `mount -t proc proc ${root}/proc && mount --rbind /dev ${root}/dev && exec "$@"`
  const { stdout } = await run(
    'unshare',
    ['--mount', '--pid', '--fork', 'sh', '-c', mounted, 'sh', program!, ...args],
    BIG,
  )
  return stdout
}

async function useImage({ root, settings, stage }: { root: string; settings: Settings; stage: Stage }) {
  const value = (name: string) => stage.steps.find((step) => step.name === name)!.value
  const command = [...JSON.parse(value('ENTRYPOINT')), ...JSON.parse(value('CMD'))]
  const ports = { PORT: String(await freePort()), SIMULATOR_PORT: String(await freePort()) }
  // Uses the simulator, so that messages can be tried. It must be requested, because others could reach the service.
  const given = { ...settings, env: { ...settings.env, ...ports, PLATFORM: 'simulator' } }
  const [program, ...args] = entering(root, given, command)
  const child = spawn(program!, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      printed += chunk
      if (printed.includes('operator token')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`it ended with ${code} at its start:\n${printed}`)))
  })
  try {
    await useService(printed.replaceAll('0.0.0.0', '127.0.0.1'))
    const check = JSON.parse(value('HEALTHCHECK').replace(/^.*CMD /, ''))
    const [first, ...rest] = entering(root, given, check)
    assert.equal(spawnSync(first!, rest).status, 0, 'the health check fails')
    const kept = (await run('stat', ['-c', '%U %a', join(root, 'data')])).stdout
    assert.match(kept, /^\S+ 700/, 'the data folder is open to others')
  } finally {
    child.kill('SIGTERM')
  }
  assert.deepEqual(await ended, [0, null])
  const [first, ...rest] = entering(root, given, JSON.parse(value('HEALTHCHECK').replace(/^.*CMD /, '')))
  assert.equal(spawnSync(first!, rest).status, 1, 'the health check is content without a service')
  const megabytes = (await run('du', ['-sm', '--exclude=proc', '--exclude=dev', root])).stdout.split('\t')[0]
  process.stdout.write(`the image works: ${megabytes} MB with its Debian, as ${settings.user}\n`)
}
