import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Starts a Node program and waits until its standard output matches `ready`.
 * @returns the process and the output until then.
 * @throws Error with the output if the program ends earlier.
 */
export async function startNode(given: {
  args: string[]
  env: Record<string, string | undefined>
  ready: RegExp
}): Promise<{ child: ChildProcess; output: string }> {
  const child = spawn(process.execPath, given.args, { env: given.env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      if (given.ready.test(output)) resolve()
    })
    child.once('exit', (code) =>
      reject(new Error(`${given.args.join(' ')} ended with ${code} at its start:\n${output}`)),
    )
  })
  return { child, output }
}

/** Stops a process and waits for its end; one that has already ended is left alone. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** A free port on the loopback interface. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}
