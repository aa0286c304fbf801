import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A service with the demo and a simulator, on any free ports, that keeps its data in `home`; ready when this returns. */
export async function startService(
  command: string,
  args: string[],
  home: string,
  path: string | undefined,
): Promise<{ printed: string; stop(): Promise<unknown> }> {
  // Any free port, for the simulator too.
  const settings = { PORT: '0', SIMULATOR_PORT: '0', LOG_LEVEL: 'warn' }
  const child = spawn(command, [...args, 'serve'], {
    cwd: home,
    env: { PATH: path, HOME: process.env.HOME, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const ended = once(child, 'exit')
  const printed = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
      // The last line.
      if (text.includes('operator token')) resolve(text)
    })
    child.once('exit', (code) => reject(new Error(`the service ended with ${code} at its start:\n${text}`)))
  })
  return {
    printed,
    stop() {
      // With all that npx started.
      process.kill(-child.pid!, 'SIGTERM')
      return ended
    },
  }
}

/** Where the service says that it listens. */
export function urlOf(printed: string): string {
  return /ready at (\S+)/.exec(printed)![1]!
}

/** What it printed beside a name: `demo API key`. */
export function lineOf(printed: string, name: string): string {
  return new RegExp(`^ +${name} +(.*)$`, 'm').exec(printed)![1]!
}
