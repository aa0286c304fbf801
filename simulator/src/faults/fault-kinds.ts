export const CALL_FAULTS = ['latency', 'hang', 'reset', '5xx', 'html', 'truncated', 'outage'] as const
const EVENT_FAULTS = ['bad-signature', 'lost', 'twice', 'latency', 'outage'] as const
export const KINDS = [...new Set([...CALL_FAULTS, ...EVENT_FAULTS])]

export type FaultKind = (typeof CALL_FAULTS)[number] | (typeof EVENT_FAULTS)[number]

export type Fault = {
  kind: FaultKind
  /** A call's path such as `/message/template`, `events`, `events:<event name>`, or `*`. */
  endpoint: string
  /** The fraction of calls that it affects, 0 to 1. */
  share: number
  /** Time window by the simulator's clock, in epoch milliseconds. */
  from: number
  until: number
  /** How many more calls it affects; the fault ends at 0. */
  times: number
  latencyMs: number
  jitterMs: number
  status: number
  /** Whether the call takes effect before its response is lost. */
  applied: boolean
  hits: number
}
