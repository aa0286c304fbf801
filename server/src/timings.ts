/**
 * How long the service waits and how often it looks: leases, heartbeats, polls, pauses, retries and time-outs of calls,
 * in the unit that ends each name. A list of pauses has one for each retry.
 * What a rule promises (how long an idempotency key, a session or an event is kept) stands with its rule; how long
 * PostgreSQL is waited for is a setting.
 */
export const TIMINGS = {
  /** A loop whose round failed waits this long before the next one. */
  afterErrorMs: 2_000,
  /** The row of `message_senders` that says that this process lives is renewed this often. */
  heartbeatEveryMs: 3_000,
  /** After so long without a heartbeat, and with its lock free, a process counts as dead. Several heartbeats long. */
  silenceMs: 15_000,
  /** Between two looks for messages whose sender died, or whose time as unknown is over. */
  recoveryEveryMs: 5_000,
  /** Whatever is older than its retention is deleted this often. */
  retentionEveryMs: 60_000,

  /** How long requests in flight may take once the service stops serving. */
  stopWithinMs: 20_000,
  /** How long connections that came before the end of the drain are still accepted: Node takes one a turn of its loop. */
  stopAcceptMs: 250,
  /** A stop signal so soon after the first is the same one: `npm start` passes on what the terminal has sent as well. */
  stopSameSignalMs: 500,
  /** How long an open connection may still send its first bytes once the listener is closed. */
  stopSilentConnectionMs: 1_000,
  /** Connections that became idle since are closed this often. */
  stopSweepEveryMs: 100,

  /** Whose a key or session is, and a member's role, are remembered this long: a right that another process takes away (G-60). */
  rightsKeptMs: 5_000,

  /** A claim of an idempotency key; longer than any response takes. A holder that outlives it does no harm. */
  idempotencyLeaseMs: 20_000,
  /** Between the tries to write the end of a claim. */
  idempotencyRetryPausesMs: [200, 1_000, 3_000],
  /** How long a response that is an error of ours waits for its key to be released. */
  idempotencyOnErrorMs: 500,

  /**
   * A message that is being sent. Longer than the platform's answer can take, with renewing a token and the retries
   * below: it ends what its living process could not write down; a process that died is found by its silence.
   */
  messageLeaseMs: 120_000,
  /** E5 and E6 answer 202 after this long: the call of the platform is given up by then, the rest is for writing that down. */
  messageAnswerWithinMs: 10_500,
  /** Between the calls of a message that surely never left. */
  messageCallPausesMs: [100, 400],
  /** Between the tries to write an outcome down: until the message's lease ends. */
  settlePausesMs: [100, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000],
  /** Waited for further messages of the shop: a larger group costs PostgreSQL less, about a tenth of all a message takes. */
  settleGatherMs: 10,
  /**
   * A claim of unknown messages to be settled. Longer than a batch takes with every call timing out: 2 messages a
   * worker, 2 calls of 10 s each. What a process that dies had claimed waits so long.
   */
  unknownClaimMs: 90_000,
  /** While the platform cannot say what became of a message it knows, it is asked again after this long. */
  unknownAskEveryMs: 15 * 60_000,
  /** And for this long at most: a hold does not stay for ever. */
  unknownAskForMs: 7 * 24 * 3_600_000,

  /** The dispatcher looks for messages that are due this often when it found none. */
  dispatchIdleMs: 1_000,
  /** And this often while the platform's pace is used up. */
  dispatchPacedMs: 100,
  /** Between the tries to put a deferred message back. */
  dispatchRetryPausesMs: [100, 1_000],
  /** The first deferral of a message that met a passing fault, doubled with each up to the longest. */
  deferFirstMs: 2_000,
  deferLongestMs: 300_000,
  /** How long a batch waits for the platform to be paid before one of its messages is tried again. */
  deferUnpaidMs: 600_000,

  /** The whole of a call of the platform. */
  platformTimeoutMs: 10_000,
  /** The calls that a circuit counts. */
  breakerWindowMs: 30_000,
  /** How long a circuit stays open first, doubled with each failing probe up to the longest. */
  breakerFirstPauseMs: 15_000,
  breakerLongestPauseMs: 120_000,
  /** What a process has drawn from the platform's pace and not used within this time is forgotten. */
  paceKeptMs: 2_000,
  /** A claim to renew an access token is this much longer than the call: for storing the pair. */
  tokenClaimMarginMs: 10_000,
  /** Between two looks for a renewal that another process has claimed. */
  tokenClaimPauseMs: 100,
  /** Between two looks for the pair of another process after the platform called a refresh token used. */
  tokenReloadPauseMs: 200,
  /** How long a refused refresh token is not tried again. */
  tokenRefusedMs: 60_000,

  /** What an official account's events are signed with is remembered this long. */
  inboxSecretsKeptMs: 1_000,
  /** The inbox is looked into this often for what other processes put there. */
  inboxIdleMs: 1_000,
  /** What arrives so soon after a first event goes into one round with it: a round costs some ten round trips. */
  inboxGatherMs: 200,
  /** An event that is worked on by itself comes again after this long when its process dies: three calls of the platform and more. */
  inboxLeaseMs: 60_000,
  /** How long a template's event waits while as many are worked on as may be. */
  inboxRoomMs: 1_000,
  /** About three minutes in all: by then a send that its receipt overtook has had its response. */
  inboxRetryPausesMs: [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000],
  /** Younger open events are still with these retries. */
  inboxRetriedMs: 5 * 60_000,
  /** A parked event that matched nothing for so long is given up. */
  inboxOpenMs: 24 * 3_600_000,
  /** How long a stop waits for the events under way. */
  inboxStopMs: 5_000,

  /** How often the templates and open events that no event reported are looked for. */
  pollEveryMs: 120_000,
  /** A template under review is not asked for more often than this, nor by two processes. */
  templateReviewEveryMs: 60_000,
  templateApprovedEveryMs: 6 * 3_600_000,
  /** Longer than all attempts of a submission together: after it the job counts as lost and is sent again. */
  submissionLostMs: 2 * 3_600_000,
  /** A platform that takes no template for so long means something else than the day's limit. */
  submissionLongestWaitMs: 3 * 86_400_000,
  submissionFirstRetrySeconds: 1,
  submissionLongestRetrySeconds: 300,
  /** An attempt may take three calls of the platform and more where it looks around. */
  submissionExpireSeconds: 600,

  importFirstRetrySeconds: 1,
  importLongestRetrySeconds: 60,
  /** More than the longest file takes. */
  importExpireSeconds: 3_600,
  /** A process that imports and is not heard of for so long is dead; pg-boss takes 10 at least. */
  importHeartbeatSeconds: 20,

  /** The jobs whose time is over are looked for this often: so long waits what a killed process was doing. */
  jobsSuperviseSeconds: 20,
  /** Ended jobs are deleted this often; without it they would stay for a day, whatever their queue says. */
  jobsMaintainSeconds: 60,
  /** The queues are counted this often. */
  jobsCountSeconds: 20,
  /** A worker looks for jobs this often, and this often beside the notices it gets. */
  jobsPollSeconds: 2,
  jobsPollNoticedSeconds: 5,

  /** Due deliveries are looked for this often when there were none. */
  webhookIdleMs: 500,
  /** The jobs that another process left behind are looked for this often. */
  webhookLookEveryMs: 2_000,
  /** The whole of a request to an endpoint (G-62). */
  webhookTimeoutMs: 15_000,
  /** Longer than a request: then the job of a delivery is given out again. */
  webhookExpireSeconds: 30,
  /** Such a job is kept this long while it has not been ended. */
  webhookKeptSeconds: 600,
  /** Before the 2nd to 9th attempt: eight retries over a day and a half (G-62). */
  webhookRetryPausesMs: [5, 300, 1_800, 7_200, 18_000, 28_800, 36_000, 43_200].map((s) => s * 1_000),
  /** The longest wait that a `Retry-After` can ask for a delivery, and for an endpoint. */
  webhookLongestWaitMs: 24 * 3_600_000,
  webhookLongestPauseMs: 3_600_000,
  /** An endpoint that did nothing but fail for so long is switched off (G-62). */
  webhookFailingMs: 5 * 24 * 3_600_000,
  /** How long a stop waits for the requests under way. One given up goes out again. */
  webhookStopMs: 3_000,
}

export type Timings = typeof TIMINGS

/**
 * The timings with some replaced, as tests and tools give them in `TIMINGS` to a process: a JSON object of names.
 * @throws Error saying what is wrong: an unknown name, or what is no positive number, nor a list of them for a list.
 */
export function timingsWith(given: unknown): Timings {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Error('use a JSON object')
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(TIMINGS, name)) throw new Error(`there is no ${name}`)
    const isList = Array.isArray(TIMINGS[name as keyof Timings])
    const isUsable = isList ? Array.isArray(value) && value.every(isPositive) : isPositive(value)
    if (!isUsable)
      throw new Error(`${name} takes ${isList ? 'a list of positive numbers' : 'a positive number'}`)
  }
  return { ...TIMINGS, ...given }
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && Number.isFinite(value)
}
