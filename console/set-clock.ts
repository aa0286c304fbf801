/**
 * Preloaded by Node (`--import`): the clock of the process, and of the embedded database in it, is CLOCK_AHEAD_MS ahead,
 * so that a service's data and dates are the same whenever it runs. Its timers are as usual.
 */
const aheadMs = Number(process.env.CLOCK_AHEAD_MS)
const now = () => performance.timeOrigin + performance.now() + aheadMs

globalThis.Date = new Proxy(Date, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [Math.floor(now())] : values, newTarget),
  get: (target, key, receiver) =>
    key === 'now' ? () => Math.floor(now()) : Reflect.get(target, key, receiver),
})
