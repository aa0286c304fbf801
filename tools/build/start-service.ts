import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Starts a service with the demo and a simulator, on any free ports, with its data in `home`. Returns when it is ready.
 */
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
      // This is the last line that it prints.
      if (text.includes('operator token')) resolve(text)
    })
    child.once('exit', (code) => reject(new Error(`the service ended with ${code} at its start:\n${text}`)))
  })
  return {
    printed,
    stop() {
      // Stops the whole process group, which includes what npx started.
      process.kill(-child.pid!, 'SIGTERM')
      return ended
    },
  }
}

/** The address that the service printed. */
export function urlOf(printed: string): string {
  return /ready at (\S+)/.exec(printed)![1]!
}

/** The value printed after a name such as `demo API key`. */
export function lineOf(printed: string, name: string): string {
  return new RegExp(`^ +${name} +(.*)$`, 'm').exec(printed)![1]!
}
