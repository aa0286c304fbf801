import type { Command } from 'commander'
import { type Cli, secretsFrom } from '../cli.ts'

type PlatformApp = {
  appId: string
  name: string
  hasAppSecret: boolean
  hasOaSecretKey: boolean
  hasPreviousOaSecretKey: boolean
  accounts: number
}

/** The commands about the operator's apps on the messaging platform. */
export function appCommands(program: Command, { call, print }: Cli): void {
  const app = program.command('app').description('apps on the messaging platform')

  app
    .command('set <appId>')
    .description(
      'set an app; secrets come from APP_SECRET (token requests) and APP_OA_SECRET_KEY (events); the key that is replaced stays accepted',
    )
    .option('--name <name>')
    .option('--drop-previous-key', 'stop accepting events signed with the previous OA secret key')
    .action(async (appId: string, options: { name?: string; dropPreviousKey?: true }) => {
      const { dropPreviousKey, ...others } = options
      const answer = await call('POST', '/platform-apps', {
        appId,
        ...others,
        ...secretsFrom({
          appSecret: 'APP_SECRET',
          oaSecretKey: 'APP_OA_SECRET_KEY',
          previousOaSecretKey: 'APP_PREVIOUS_OA_SECRET_KEY',
        }),
        ...(dropPreviousKey ? { previousOaSecretKey: null } : {}),
      })
      print(answer, line(answer.data as PlatformApp))
    })

  app
    .command('list')
    .description('list the apps and which of their secrets are set')
    .action(async () => {
      const answer = await call('GET', '/platform-apps')
      print(answer, (answer.data as PlatformApp[]).map(line).join('\n') || 'no apps')
    })

  app
    .command('remove <appId>')
    .description('remove an app that no official account refers to')
    .action(async (appId: string) => {
      const answer = await call('DELETE', `/platform-apps/${encodeURIComponent(appId)}`)
      print(answer, `app ${appId} is removed`)
    })
}

function line(app: PlatformApp): string {
  const state = (is: boolean) => (is ? 'set' : 'missing')
  const previous = app.hasPreviousOaSecretKey ? '  previous key accepted' : ''
  return `${app.appId}  app secret ${state(app.hasAppSecret)}  OA secret key ${state(app.hasOaSecretKey)}${previous}  ${app.accounts} accounts  ${app.name}`
}
