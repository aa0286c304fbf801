import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { TIMINGS } from '../../timings.ts'
import { ConfigError } from './env-values.ts'
import { readConfig } from './read-config.ts'

describe('settings', () => {
  it('all optional: port 3000 on the loopback, embedded database with the demo, simulator on the next port', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      databaseUrl: undefined,
      publicUrl: undefined,
      trustProxy: false,
      s3: undefined,
      demo: true,
      logLevel: 'info',
      ratePerMinute: 100,
      recipientLimits: {
        otp: [
          { count: 5, seconds: 600 },
          { count: 20, seconds: 86_400 },
        ],
        other: [],
      },
      platform: undefined,
      platformLinkHost: 'chatapp.example',
      platformRatePerMinute: 4000,
      platformStrict: false,
      platformImages: 'link',
      outboundAllowPrivate: false,
      unknown: { policy: 'release', timeoutSeconds: 86_400 },
      simulator: { isAskedFor: false, host: '127.0.0.1', port: 3001, reviewMs: 3000 },
    })
  })

  it('how long PostgreSQL is waited for: numbers in their ranges, a lock shorter than a statement', () => {
    expect(readConfig({}).database).toEqual({
      connections: 20,
      limits: { lockMs: 2_000, statementMs: 15_000, idleInTransactionMs: 10_000 },
      slowStatementMs: 300_000,
    })
    expect(() => readConfig({ DATABASE_LOCK_TIMEOUT_MS: '0' })).toThrow(/DATABASE_LOCK_TIMEOUT_MS=0/)
    expect(() => readConfig({ DATABASE_CONNECTIONS: 'many' })).toThrow(/DATABASE_CONNECTIONS=many/)
    expect(() => readConfig({ DATABASE_STATEMENT_TIMEOUT_MS: '2000' })).toThrow(
      new ConfigError(
        'DATABASE_LOCK_TIMEOUT_MS=2000 is not usable: it must be less than DATABASE_STATEMENT_TIMEOUT_MS=2000',
      ),
    )
  })

  it('proof of the domain: a tag or its name and content, and a file by name', () => {
    expect(readConfig({}).domainProof).toEqual({ meta: undefined, file: undefined })
    const meta = { name: 'platform-verification', content: 'Abc_1=' }
    for (const value of [
      'platform-verification=Abc_1=',
      '<meta name="platform-verification" content="Abc_1=" />',
    ])
      expect(readConfig({ PLATFORM_VERIFICATION_META: value }).domainProof.meta).toEqual(meta)
    for (const value of ['Abc', '<meta content="x">', 'a="><script>'])
      expect(() => readConfig({ PLATFORM_VERIFICATION_META: value })).toThrow(/PLATFORM_VERIFICATION_META=/)
    expect(readConfig({ PLATFORM_VERIFICATION_FILE: 'proof1.html:a:b' }).domainProof.file).toEqual({
      name: 'proof1.html',
      text: 'a:b',
    })
    for (const value of ['proof.html', 'openapi.json:x', '../x.html:x', 'a/b.txt:x', 'index.html:'])
      expect(() => readConfig({ PLATFORM_VERIFICATION_FILE: value })).toThrow(/PLATFORM_VERIFICATION_FILE=/)
  })

  it.each([
    ['DATABASE_READ_URL', 'databaseReadUrl'],
    ['DATABASE_POOL_URL', 'databasePoolUrl'],
  ] as const)('%s needs the database that it is of', (name, field) => {
    const address = 'postgres://another/shop'
    expect(() => readConfig({ [name]: address })).toThrow(`${name} needs DATABASE_URL`)
    expect(readConfig({ [name]: address, DATABASE_URL: 'postgres://one/shop' })[field]).toBe(address)
  })

  it('TIMINGS of a test replaces timings by name', () => {
    expect(readConfig({}).timings).toEqual(TIMINGS)
    const timings = readConfig({ TIMINGS: '{"silenceMs": 900, "settlePausesMs": [1]}' }).timings
    expect(timings).toEqual({ ...TIMINGS, silenceMs: 900, settlePausesMs: [1] })
  })

  it.each([
    '{"silence": 1}',
    '{"silenceMs": 0}',
    '{"silenceMs": "9"}',
    '{"silenceMs": [9]}',
    '{"settlePausesMs": 9}',
    '{"settlePausesMs": [-9]}',
    '[]',
    'null',
    '{',
  ])('TIMINGS=%s stops the start', (value) =>
    expect(() => readConfig({ TIMINGS: value })).toThrow(ConfigError),
  )

  it.each([
    ['off', false],
    ['0', false],
    ['1', 1],
    ['10.0.0.5, 10.1.0.0/16,fd00::/8', ['10.0.0.5', '10.1.0.0/16', 'fd00::/8']],
  ])('TRUST_PROXY=%s is read', (value, read) => {
    expect(readConfig({ TRUST_PROXY: value }).trustProxy).toEqual(read)
  })

  it.each(['true', '11', '10.0.0', '10.0.0.0/33', '10.0.0.0/0', 'proxy.example', '10.0.0.5,', '-1'])(
    'TRUST_PROXY=%s stops the start',
    (value) => {
      expect(() => readConfig({ TRUST_PROXY: value })).toThrow(/^TRUST_PROXY=.* is not usable/)
    },
  )

  it('OPERATOR_CONTACT is read, and longer than 200 characters stops the start', () => {
    expect(readConfig({}).operatorContact).toBeUndefined()
    expect(readConfig({ OPERATOR_CONTACT: ' 0901 234 567 ' }).operatorContact).toBe('0901 234 567')
    expect(() => readConfig({ OPERATOR_CONTACT: 'a'.repeat(201) })).toThrow(
      'OPERATOR_CONTACT is not usable: use at most 200 characters',
    )
  })

  it('DATABASE_URL leaves the demo out unless DEMO=1', () => {
    const DATABASE_URL = 'postgres://localhost/shop'
    expect(readConfig({ DATABASE_URL }).demo).toBe(false)
    expect(readConfig({ DATABASE_URL, DEMO: '1' }).demo).toBe(true)
  })

  it('requests are served for 5 s more after a stop was asked for with DATABASE_URL, where others take over', () => {
    expect(readConfig({}).drainSeconds).toBe(0)
    expect(readConfig({ DATABASE_URL: 'postgres://localhost/shop' }).drainSeconds).toBe(5)
    expect(readConfig({ DRAIN_SECONDS: '12' }).drainSeconds).toBe(12)
  })

  it('a bucket is used once all of its four settings are there', () => {
    const env = {
      S3_ENDPOINT: 'https://s3.example/',
      S3_BUCKET: 'shop-images',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'secret',
    }
    const s3 = {
      endpoint: 'https://s3.example',
      bucket: 'shop-images',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
    }
    expect(readConfig(env).s3).toEqual({ ...s3, region: 'us-east-1' })
    expect(readConfig({ ...env, S3_REGION: 'auto' }).s3).toEqual({ ...s3, region: 'auto' })
  })

  it('a configured platform is strict by default', () => {
    const urls = {
      PLATFORM_BUSINESS_URL: 'https://business.example',
      PLATFORM_OPENAPI_URL: 'https://openapi.example/',
      PLATFORM_OAUTH_URL: 'https://oauth.example',
    }
    expect(readConfig(urls)).toMatchObject({
      platform: { openapiUrl: 'https://openapi.example' },
      platformStrict: true,
      platformImages: 'upload',
    })
    expect(readConfig({ ...urls, PLATFORM_STRICT: '0' }).platformStrict).toBe(false)
    expect(readConfig({ ...urls, PLATFORM_IMAGES: 'link' }).platformImages).toBe('link')
  })

  it.each([
    { PORT: 'abc' },
    { PORT: '70000' },
    { PORT: '1e3' },
    { DATABASE_URL: 'mysql://x' },
    { DEMO: 'yes please' },
    { LOG_LEVEL: 'loud' },
    { OPERATOR_TOKEN: 'short' },
    { PLATFORM_STRICT: '2' },
    { UNKNOWN_POLICY: 'resend' },
    { UNKNOWN_TIMEOUT_SECONDS: '0' },
    { PLATFORM_IMAGES: 'send' },
    { OUTBOUND_ALLOW_PRIVATE: 'maybe' },
    { PUBLIC_URL: 'shop.example' },
    { PUBLIC_URL: 'https://shop.example/path?x=1' },
    { PUBLIC_URL: 'https://shop.example/#top' },
    { PLATFORM_LINK_HOST: 'https://chatapp.example' },
    { PLATFORM_LINK_HOST: 'https://chatapp.example/' },
    { PLATFORM_LINK_HOST: 'chatapp.example/s' },
    { PLATFORM_LINK_HOST: 'chatapp.example?s' },
    { PLATFORM_LINK_HOST: 'me@chatapp.example' },
    { S3_ENDPOINT: 'https://s3.example' },
    { S3_BUCKET: '../x' },
    { PLATFORM_BUSINESS_URL: 'http://127.0.0.1:1' },
    { DRAIN_SECONDS: '1.5' },
    { PLATFORM: 'other' },
    { SIMULATOR_SECRET: 'short' },
    { SIMULATOR_PORT: '-1' },
    { SIMULATOR_REVIEW_MS: '-1' },
    { RATE_LIMIT_PER_MINUTE: '0' },
    { PLATFORM_RATE_PER_MINUTE: '-1' },
    { RETENTION_AUDIT_DAYS: '-1' },
    { RETENTION_PLATFORM_EVENTS_DAYS: '0' },
    { SHOP_DELETION_DAYS: 'soon' },
    { RECIPIENT_LIMIT_OTP: '5' },
    { RECIPIENT_LIMIT_OTP: '0/600' },
    { RECIPIENT_LIMIT_OTHER: '5/600,x' },
    { SECRETS_KEY: 'zz' },
    { SECRETS_KEY: `${'a'.repeat(64)},b` },
    { OPERATOR_TOKEN: `${'a'.repeat(16)},short` },
    { SMTP_URL: 'smtp://mail.example', PUBLIC_URL: 'https://shop.example' },
    { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'a@shop.example' },
    { MAIL_FROM: 'xx', SMTP_URL: 'smtp://mail.example', PUBLIC_URL: 'https://shop.example' },
    { MAIL_FROM: 'Hoa <hoa>', SMTP_URL: 'smtp://mail.example', PUBLIC_URL: 'https://shop.example' },
  ])('a wrong value is refused in one line that names the setting: %j', (setting) => {
    const name = Object.keys(setting)[0]!
    expect(() => readConfig(setting)).toThrow(ConfigError)
    expect(() => readConfig(setting)).toThrow(new RegExp(`^${name}.*$`))
  })

  it('a public address may have a path, a link host a port, and a sender a name', () => {
    const env = {
      PUBLIC_URL: 'https://shop.example/api/',
      PLATFORM_LINK_HOST: 'Links.chatapp.example:8443',
      SMTP_URL: 'smtp://mail.example',
    }
    for (const from of ['no-reply@shop.example', 'Tiệm Hoa <no-reply@shop.example>', '<a@shop.example>']) {
      const { publicUrl, platformLinkHost, mail } = readConfig({ ...env, MAIL_FROM: from })
      expect([publicUrl, platformLinkHost, mail?.from]).toEqual([
        'https://shop.example/api',
        'Links.chatapp.example:8443',
        from,
      ])
    }
  })

  it('1 and true, 0 and false: the refusal of a third value names all four', () => {
    for (const [value, is] of [
      ['1', true],
      ['true', true],
      ['0', false],
      ['false', false],
    ] as const)
      expect(readConfig({ OUTBOUND_ALLOW_PRIVATE: value }).outboundAllowPrivate).toBe(is)
    expect(() => readConfig({ OUTBOUND_ALLOW_PRIVATE: 'yes' })).toThrow(
      'OUTBOUND_ALLOW_PRIVATE=yes is not usable: use 1, 0, true or false',
    )
  })

  it('two ports of one process must differ, unless any free port is asked for or no simulator starts', () => {
    const twice = { PORT: '4390', METRICS_PORT: '4390' }
    expect(() => readConfig(twice)).toThrow('METRICS_PORT=4390 is not usable: it must differ from PORT')
    expect(() => readConfig({ PORT: '4390', SIMULATOR_PORT: '4390' })).toThrow(
      'SIMULATOR_PORT=4390 is not usable: it must differ from PORT',
    )
    expect(() => readConfig({ PORT: '4390', METRICS_PORT: '4391' })).toThrow(
      'METRICS_PORT=4391 is not usable: it must differ from SIMULATOR_PORT',
    )
    readConfig({ PORT: '0', METRICS_PORT: '0', SIMULATOR_PORT: '0' })
    const elsewhere = { PORT: '4390', METRICS_PORT: '4391', SIMULATOR_URL: 'http://127.0.0.1:4500' }
    expect(readConfig(elsewhere).metrics.port).toBe(4391)
  })

  it('DATA_DIR with a file in its place, or above it, is named', () => {
    const file = fileURLToPath(import.meta.url)
    for (const path of [file, `${file}/data`])
      expect(() => readConfig({ DATA_DIR: path })).toThrow(
        `DATA_DIR=${path} is not usable, because ${file} is a file: name a folder`,
      )
    expect(readConfig({ DATA_DIR: '/none/data' }).dataDir).toBe('/none/data')
  })

  it('an address without a scheme: https is advised for the public one', () => {
    expect(() => readConfig({ PUBLIC_URL: 'shop.example' })).toThrow(
      'PUBLIC_URL=shop.example is not usable: use an address starting with https://',
    )
  })

  it('a database password is not repeated in the refusal', () => {
    for (const env of [
      { DATABASE_URL: 'mysql://me:hunter2@x/y' },
      { DATABASE_URL: 'postgres://me:hunter2@x:54x2/y' },
      { DATABASE_URL: 'mysql://me:hunter 2@x/y' },
      { SMTP_URL: 'smtps://mailer:pa hunter2@mail:465x' },
      { REDIS_URL: 'http://hunter2:hunter2@cache:6379' },
      { REDIS_URL: 'me:hunter2@cache' },
    ]) {
      expect(() => readConfig(env)).toThrow(/is not usable/)
      expect(() => readConfig(env)).toThrow(/^(?!.*hunter)/s)
    }
  })
})
