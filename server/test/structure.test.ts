import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ACROSS_SHOPS } from './support/across-shops.ts'

const SERVER = fileURLToPath(new URL('..', import.meta.url))
const SOURCES = resolve(SERVER, 'src')

type Source = { path: string; role: string; module: string | undefined; text: string; imports: string[] }

const files: Source[] = globSync('**/*.ts', { cwd: SOURCES })
  .filter((path) => !path.endsWith('.test.ts') && !path.endsWith('.d.ts'))
  .map((path) => {
    const text = readFileSync(resolve(SOURCES, path), 'utf8')
    const imports = [...text.matchAll(/^import (type )?(?:[\w*{][^'"]*? from )?'([^']+)'/gm)].map((match) => {
      const name = match[2]!
      const target = name.startsWith('.') ? relative(SOURCES, resolve(SOURCES, dirname(path), name)) : name
      return `${match[1] ?? ''}${target}`
    })
    const module = /^modules\/([^/]+)\//.exec(path)?.[1]
    return { path, role: basename(path, '.ts'), module, text, imports }
  })

function breaches(
  of: (file: Source) => boolean,
  isAllowed: (target: string, file: Source) => boolean,
): string[] {
  return files
    .filter(of)
    .flatMap((file) =>
      file.imports.filter((one) => !isAllowed(one, file)).map((one) => `${file.path} imports ${one}`),
    )
}

const isSql = (file: Source) => /(^|-)sql$/.test(file.role) || /\/sql\/[a-z-]+\.ts$/.test(file.path)
const ownModule = (target: string, file: Source) => target.startsWith(`modules/${file.module}/`)

describe('boundaries', () => {
  it('finds the sources at all', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(files.some((file) => file.imports.includes('fastify'))).toBe(true)
  })

  it('rules import only lib, errors, stored-text and types', () => {
    expect(
      breaches(
        (file) => file.role === 'rules',
        (target, file) =>
          target.startsWith('type ') ||
          target.startsWith('lib/') ||
          ['errors.ts', 'stored-text.ts', 'node:crypto', 'node:util'].includes(target) ||
          ownModule(target, file),
      ),
    ).toEqual([])
  })

  it('sql imports only db, kysely, lib, other sql and types', () => {
    expect(
      breaches(
        isSql,
        (target) =>
          target.startsWith('type ') ||
          target.startsWith('db/') ||
          target.startsWith('lib/') ||
          target === 'kysely' ||
          // Another module's statements and fragments may run in the caller's own statement; its tables stay its own.
          /(sql|\/sql\/[a-z-]+)\.ts$/.test(target),
      ),
    ).toEqual([])
  })

  it('presenters import only lib and types', () => {
    expect(
      breaches(
        (file) => file.role === 'present',
        (target, file) => target.startsWith('type ') || target.startsWith('lib/') || ownModule(target, file),
      ),
    ).toEqual([])
  })

  it('only process, http, access, routes and their hooks know Fastify', () => {
    const knows = files.filter((file) =>
      file.imports.some((one) => /(^|type )(fastify|@fastify\/)/.test(one)),
    )
    const allowed =
      /^(process\/|http\/|modules\/access\/|modules\/(.+\/)?([a-z-]+-)?routes\.ts|modules\/idempotency\/hook\.ts|modules\/audit\/origin\.ts|lib\/log\.ts)/
    expect(knows.map((file) => file.path).filter((path) => !allowed.test(path))).toEqual([])
  })

  it('only config reads the environment for settings', () => {
    const readers = files.filter((file) => /process\.env/.test(file.text)).map((file) => file.path)
    // The command line reads an OA's secrets from the environment; the simulator's process and system programs inherit
    // it; npm describes itself in it.
    expect(
      readers.filter(
        (path) =>
          ![
            'process/config/read-config.ts',
            'process/config/misspelt.ts',
            'process/cli/main.ts',
            'process/cli/cli.ts',
            'process/simulator-process.ts',
            'process/stop-with-npm.ts',
            'process/backup/archive.ts',
          ].includes(path),
      ),
    ).toEqual([])
  })

  it('only installed-files knows where files are beside the code: the bundle has them elsewhere', () => {
    const knowing = files.filter((file) => /import\.meta|__dirname|__filename/.test(file.text))
    expect(knowing.map((file) => file.path)).toEqual(['installed-files.ts'])
  })

  it('no file loads with its own start what only some processes need: it is imported where it is used', () => {
    const onFirstUse =
      /^(better-auth|nodemailer|sharp|@scalar\/|@electric-sql\/|db\/embedded\/(embedded|private-files)\.ts)/
    // These files are themselves loaded when first used.
    const embedded = [
      'db/embedded/embedded.ts',
      'db/embedded/private-files.ts',
      'db/embedded/init-embedded.ts',
      'process/migrated-schema.ts',
    ]
    expect(
      breaches(
        (file) => !embedded.includes(file.path),
        (target) => !onFirstUse.test(target),
      ),
    ).toEqual([])
  })

  it('only platform, storage, jobs, the command line and the demo do network', () => {
    const callers = files
      .filter((file) => /\bfetch\(|^import (?!type).*from 'node:https?'/m.test(file.text))
      .map((file) => file.path)
    expect(
      callers.filter((path) => !/^(platform\/|storage\/|jobs\/|process\/cli\/|demo\/)/.test(path)),
    ).toEqual([])
  })

  it('a module imports no other module’s routes, schema or presenter', () => {
    expect(
      breaches(
        (file) => file.module !== undefined,
        (target, file) => {
          const other = /^modules\/([^/]+)\/(?:[a-z-]+\/)*([a-z-]+)\.ts$/.exec(target)
          // A file of products is read and written in the shapes of the products module.
          if (file.module === 'product-files' && target === 'modules/products/schema.ts') return true
          // A copy contains records of other modules, in the shapes that these define.
          if (file.path === 'modules/copies/record-types.ts' && target.endsWith('schema.ts')) return true
          return (
            other === null || other[1] === file.module || !/(^|-)(routes|schema|present)(-|$)/.test(other[2]!)
          )
        },
      ),
    ).toEqual([])
  })

  it('no rows are taken in a subquery of `in`: a planner may repeat it, and it then takes others each time (decision 0025)', () => {
    const taken = / in \(\n\s+select (?:(?!\n\s*\))[^`])*skip locked/
    expect(files.filter(({ text }) => taken.test(text)).map(({ path }) => path)).toEqual([])
  })

  it('every statement on a shop’s table binds shop_id', () => {
    const shopTables = globSync('migrations/[0-9]*.sql', { cwd: SERVER })
      .map((path) => readFileSync(resolve(SERVER, path), 'utf8'))
      .flatMap((text) =>
        [...text.matchAll(/^create table (\w+) \(\n {2}shop_id /gm)].map((match) => match[1]),
      )
    expect(shopTables.length).toBeGreaterThan(30)
    const tables = new RegExp(`\\b(?:from|join|update|into)\\s+(${shopTables.join('|')})\\b`)
    // Statements are composed of fragments. The function that makes a statement is checked, and it may leave the
    // binding to a fragment to which it passes its shop.
    const unbound = files.flatMap((file) =>
      file.text
        .replace(/\/\*\*[\s\S]*?\*\//g, '')
        .split(/^(?=(?:export )?(?:async )?function )/m)
        .filter((part) => tables.test(part) && !/shop_id|\(shopId, /.test(part))
        .filter((part) => !(`${file.path} ${/function (\w+)/.exec(part)?.[1]}` in ACROSS_SHOPS))
        .map((part) => `${file.path}: ${part.slice(0, 120)}`),
    )
    expect(unbound).toEqual([])
  })
})

describe('proof', () => {
  const titles = globSync('{src,test}/**/*.test.ts', { cwd: SERVER })
    .flatMap((path) => [
      ...readFileSync(resolve(SERVER, path), 'utf8').matchAll(
        /\b(?:describe|it|test)[\w.]*(?:\([^)]*\))?\(\s*(['"`])([\s\S]*?)\1/g,
      ),
    ])
    .map((match) => match[2]!)

  const clauses = [
    ...Array.from({ length: 16 }, (_, n) => `E${n + 1}`),
    ...[
      '00',
      '01',
      '02',
      '03',
      '04',
      '05',
      '06',
      '07',
      '08',
      '09',
      '10',
      '11',
      '12',
      '13',
      '14',
      '15',
      '16',
      '17',
      '18',
      '19',
    ],
    ...[
      '20',
      '21',
      '22',
      '23',
      '24',
      '25',
      '26',
      '27',
      '30',
      '31',
      '32',
      '33',
      '34',
      '35',
      '36',
      '37',
      '38',
      '39',
      '40',
      '41',
      '42',
      '43',
    ],
    ...['44', '45', '46', '50', '51', '52', '53', '60', '61', '62', '63'],
  ].map((clause) => (clause.startsWith('E') ? clause : `G-${clause}`))

  it.each(clauses)('a test’s title names %s', (clause) => {
    expect(titles.some((title) => new RegExp(`\\b${clause}\\b`).test(title))).toBe(true)
  })
})

describe('tests', () => {
  it('know the server of TEST_DATABASE_URL by support/database.ts alone, which npm run test:postgres goes by', () => {
    const roots = ['server/src', 'server/test', 'simulator/test', 'client/test', 'console/test', 'tools']
    const known = globSync(`{${roots.join(',')}}/**/*.{ts,tsx}`, { cwd: resolve(SERVER, '..') })
      .filter((path) => !path.includes('node_modules'))
      .map((path) => ({ path, text: readFileSync(resolve(SERVER, '..', path), 'utf8') }))
      .filter(({ text }) => /env\.TEST_DATABASE_URL|import\('[^']*\/(database|service)\.ts'\)/.test(text))
    expect(known.map(({ path }) => path).sort()).toEqual([
      'server/test/support/database.ts',
      'server/test/support/global-setup.ts',
    ])
  })
})
