/**
 * The intervals and time-outs of the service: leases, heartbeats, polls, pauses, retries and time-outs of calls, in the
 * unit that ends each name. A list of pauses has one for each retry. What a rule promises (how long an idempotency key,
 * a session or an event is kept) is defined with its rule; the time-outs of PostgreSQL are settings.
 */
export const TIMINGS = {
  /** A loop whose round failed waits this long before the next one. */
  afterErrorMs: 2_000,
  /** The row of `message_senders` that says that this process lives is renewed this often. */
  heartbeatEveryMs: 3_000,
  /** After this long without a heartbeat, and with its lock free, a process counts as dead. Several heartbeats. */
  silenceMs: 15_000,
  /** The interval of checks for messages whose sender died, or that timed out as unknown. */
  recoveryEveryMs: 5_000,
  /** How long a look at what the replica has may take, and how long one that failed is left alone. */
  replicaWaitMs: 250,
  replicaRestMs: 5_000,
  /** How often records past their retention are deleted. */
  retentionEveryMs: 60_000,
  /** How often all shops are walked through for what is old in rows that stay. */
  retentionWalkEveryMs: 24 * 3_600_000,
  /** How often the months to come are made, and those past their retention dropped. */
  monthsEveryMs: 3_600_000,

  /** How long a request may take to arrive, its body included; looked at this often. */
  requestArrivalMs: 30_000,
  requestArrivalLookEveryMs: 30_000,

  /** How long requests in flight may take once the service stops serving. */
  stopWithinMs: 20_000,
  /** How long connections that came before the end of the drain are still accepted: Node takes one a turn of its loop. */
  stopAcceptMs: 250,
  /**
   * A second stop signal within this time counts as the first one: `npm start` forwards the signal that the terminal
   * also sends.
   */
  stopSameSignalMs: 500,
  /** How long an open connection may still send its first bytes once the listener is closed. */
  stopSilentConnectionMs: 1_000,
  /** Connections that became idle since are closed this often. */
  stopSweepEveryMs: 100,

  /**
   * How long the owner of a key or session, and a member's role, are cached, so how long a right that another process
   * removed lasts (G-60).
   */
  rightsKeptMs: 5_000,

  /** The lease of a claimed idempotency key; longer than any response takes. A holder that outlives it is harmless. */
  idempotencyLeaseMs: 20_000,
  /** Between attempts to write the end of a claim. */
  idempotencyRetryPausesMs: [200, 1_000, 3_000],
  /** How long a 5xx response waits for its key to be released. */
  idempotencyOnErrorMs: 500,

  /**
   * The lease of a message that is being sent. Longer than the platform's response can take, including a token renewal
   * and the retries below: it ends messages whose living process could not write the outcome; a dead process is
   * detected by its silence.
   */
  messageLeaseMs: 120_000,
  /**
   * E5 and E6 answer 202 after this long: the call of the platform has timed out by then, and the rest is for writing
   * the outcome.
   */
  messageAnswerWithinMs: 10_500,
  /** Between the calls for a message that definitely never left. */
  messageCallPausesMs: [100, 400],
  /** Between the tries to write an outcome down, or to put a message back: until its lease ends. */
  settlePausesMs: [100, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000],
  /**
   * The wait for further messages of the shop: a larger group saves PostgreSQL about a tenth of a message's total cost.
   */
  settleGatherMs: 10,
  /**
   * A claim of unknown messages to be settled. Longer than a batch takes if every call times out: 2 messages a worker,
   * 2 calls of 10 s each. Messages claimed by a process that dies wait this long.
   */
  unknownClaimMs: 90_000,
  /** How long a receipt may be overdue while its account is refused: then its fee is given back, unasked. */
  undeliveredAskedMs: 30 * 86_400_000,

  /** How often SMS that are due are looked for, and how long a claim of some lasts: longer than their calls take. */
  smsEveryMs: 1_000,
  smsClaimMs: 60_000,
  /** Before an SMS is handed over again: the provider has no money for it, or its answer was lost. */
  smsRetryPausesMs: [30_000, 120_000, 600_000, 1_800_000],
  /** Before the provider is asked again what became of an SMS that it did not report. */
  smsStatusPausesMs: [60_000, 300_000, 1_800_000, 7_200_000],
  /** How long an SMS, and one with a one-time password, is of use to its recipient. */
  smsSendWithinMs: 2 * 3_600_000,
  smsOtpWithinMs: 300_000,
  /** An SMS of which nobody knows for so long whether it arrived is not charged. */
  smsReportWithinMs: 24 * 3_600_000,

  /** How often drafts of news whose time has come are looked for. */
  publishDraftsEveryMs: 5_000,

  /** How often the dispatcher looks for due messages after it found none. */
  dispatchIdleMs: 1_000,
  /** And how often while the platform's allowance is used up. */
  dispatchPacedMs: 100,
  /** The first deferral after a temporary fault, doubled each time up to the longest. */
  deferFirstMs: 2_000,
  deferLongestMs: 300_000,
  /** How long a batch waits for the platform to be paid before one of its messages is tried again. */
  deferUnpaidMs: 600_000,

  /** The whole of a call of the platform. */
  platformTimeoutMs: 10_000,
  /** The window in which a circuit counts calls. */
  breakerWindowMs: 30_000,
  /** How long a circuit stays open at first, doubled with each failed probe up to the longest. */
  breakerFirstPauseMs: 15_000,
  breakerLongestPauseMs: 120_000,
  /** How often a process with an open circuit looks whether the operator asked to try again. */
  circuitRetrySeenMs: 2_000,
  /** After this time, permits that a process took from the platform's allowance but did not use expire. */
  paceKeptMs: 2_000,
  /** How much longer than the call a claim to renew an access token lasts, for storing the pair. */
  tokenClaimMarginMs: 10_000,
  /** Between checks for a renewal that another process has claimed. */
  tokenClaimPauseMs: 100,
  /** Between checks for another process's pair after the platform reported a refresh token as used. */
  tokenReloadPauseMs: 200,
  /** The tokens of an account that has not renewed them for so long are renewed: far less than the three months that they live. */
  tokenRenewAfterMs: 7 * 24 * 3_600_000,
  /** Idle accounts are looked for this often, and one that could not be renewed is tried again after as long. */
  tokenRenewEveryMs: 3_600_000,
  /** An account counts as disconnected when no renewal has worked for so long. */
  tokenFailingMs: 2 * 24 * 3_600_000,
  /** How long no renewal is tried after a refused one. */
  tokenRefusedMs: 60_000,

  /** How long the secrets that sign an official account's events are cached. */
  inboxSecretsKeptMs: 1_000,
  /** How often the inbox is checked for events that other processes stored. */
  inboxIdleMs: 1_000,
  /** Events that arrive this soon after a first one share its round: a round costs about ten round trips. */
  inboxGatherMs: 200,
  /** The lease of an event that is processed individually: longer than three calls of the platform. */
  inboxLeaseMs: 60_000,
  /** How long a template's event waits while the limit of concurrent events is reached. */
  inboxRoomMs: 1_000,
  /** About three minutes in all: by then a send that its receipt overtook has had its response. */
  inboxRetryPausesMs: [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000],
  /** Newer open events are still covered by these retries. */
  inboxRetriedMs: 5 * 60_000,
  /** A parked event that matched nothing for this long is given up. */
  inboxOpenMs: 24 * 3_600_000,
  /** How long a stop waits for the events under way. */
  inboxStopMs: 5_000,

  /** The interval of the polling rounds over templates and open events. */
  pollEveryMs: 120_000,
  /** The shortest interval between two status checks of a template under review, over all processes. */
  templateReviewEveryMs: 60_000,
  templateApprovedEveryMs: 6 * 3_600_000,
  /** Longer than all attempts of a submission together: afterwards the job counts as lost and is queued again. */
  submissionLostMs: 2 * 3_600_000,
  /** If the platform accepts no template for this long, the cause is not its daily limit. */
  submissionLongestWaitMs: 3 * 86_400_000,
  submissionFirstRetrySeconds: 1,
  submissionLongestRetrySeconds: 300,
  /** The time of one attempt: three calls of the platform, and more if it searches for a template. */
  submissionExpireSeconds: 600,

  importFirstRetrySeconds: 1,
  importLongestRetrySeconds: 60,
  /** More than the longest file takes. */
  importExpireSeconds: 3_600,
  /** A process that imports and sends no heartbeat for this long is dead; pg-boss requires at least 10. */
  importHeartbeatSeconds: 20,

  /** How often expired jobs are looked for, so how long the work of a killed process may wait. */
  jobsSuperviseSeconds: 20,
  /** How often ended jobs are deleted; the default would keep them for a day, whatever their queue's setting. */
  jobsMaintainSeconds: 60,
  /** How often the queues are counted. */
  jobsCountSeconds: 20,
  /** How often a worker polls for jobs, without and with notifications. */
  jobsPollSeconds: 2,
  jobsPollNoticedSeconds: 5,

  /** Due deliveries are looked for this often when there were none. */
  webhookIdleMs: 500,
  /** Deliveries whose lease is over are looked for this often. */
  webhookReleaseEveryMs: 5_000,
  /** The whole of a request to an endpoint (G-62). */
  webhookTimeoutMs: 15_000,
  /** Longer than a request and its writing down: then a delivery whose process died goes out again. */
  webhookLeaseMs: 30_000,
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
