/** A service with more room for new objects spends a third less on its lists. V8 takes this size only when Node starts. */
export const NEW_SPACE = '--max-semi-space-size=8'

/**
 * glibc reads these when a process starts. By itself it keeps an arena for each thread that allocates, and after a large block
 * was freed it no longer returns smaller ones to the system. V8's compilers allocate pieces of up to 32 KB: with this limit, what
 * compiling the embedded database needs is returned (docs/performance.md, "Memory and start").
 */
export const GIVE_BACK_MEMORY = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '32768',
}

/**
 * Starts `serve` again in the same process, with the settings that only take effect at a start; those that are set already stay.
 * Returns where nothing is left to set, for other commands, on Windows, and on Node 22.13 and 22.14, which cannot do it.
 */
export function startAgainForService() {
  const isSet = Object.keys(GIVE_BACK_MEMORY).every((name) => process.env[name] !== undefined)
  if (!process.argv.includes('serve') || isSet || process.platform === 'win32') return
  const isSized = /max[-_]semi[-_]space[-_]size/.test(
    [process.env.NODE_OPTIONS, ...process.execArgv].join(' '),
  )
  const flags = isSized ? process.execArgv : [NEW_SPACE, ...process.execArgv]
  process.execve?.(process.execPath, [process.execPath, ...flags, ...process.argv.slice(1)], {
    ...GIVE_BACK_MEMORY,
    ...process.env,
  })
}
