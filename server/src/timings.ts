/**
 * The intervals and time-outs of the service: leases, heartbeats, polling, pauses, retries and time-outs of calls, in
 * the unit at the end of each name. A list of pauses has one entry per retry. Periods that a rule promises (how long an
 * idempotency key, a session or an event is kept) are defined with the rule; the time-outs of PostgreSQL are settings.
 */
export const TIMINGS = {
  /** How long a loop waits after a failed round. */
  afterErrorMs: 2_000,
  /** How often a process renews its heartbeat in `message_senders`. */
  heartbeatEveryMs: 3_000,
  /** A process counts as dead after this long without a heartbeat, if its lock is free. Several heartbeats fit into it. */
  silenceMs: 15_000,
  /** The interval of checks for messages whose sender died, or that timed out as unknown. */
  recoveryEveryMs: 5_000,
  /** How long a look-up of the replica's stamps may take, and how long the replica is not used after a failure. */
  replicaWaitMs: 250,
  replicaRestMs: 5_000,
  /** How often records past their retention are deleted. */
  retentionEveryMs: 60_000,
  /** How often all shops are checked for old values in rows that are themselves kept. */
  retentionWalkEveryMs: 24 * 3_600_000,
  /** How often the parts for the coming months are created, and those past their retention dropped. */
  monthsEveryMs: 3_600_000,
  /** How often the embedded database is checked for tables whose statistics are old. */
  statisticsEveryMs: 10_000,

  /** How long a request may take to arrive, including its body, and how often that is checked. */
  requestArrivalMs: 30_000,
  requestArrivalLookEveryMs: 2_000,
  /** For how long a caller may take no byte of a large response. */
  stuckResponseMs: 30_000,

  /** How long requests in flight may take after the listener has closed. */
  stopWithinMs: 20_000,
  /** How long connections that arrived before the end of the drain are still accepted: Node accepts one per event-loop turn. */
  stopAcceptMs: 250,
  /**
   * A second stop signal within this time counts as the first one: `npm start` forwards the signal that the terminal
   * also sends.
   */
  stopSameSignalMs: 500,
  /** How long an open connection may still send its first bytes after the listener has closed. */
  stopSilentConnectionMs: 1_000,
  /** How often connections that have become idle are closed during a stop. */
  stopSweepEveryMs: 100,

  /**
   * How long the owner of a key or session, and a member's role, are cached. A right that another process removes stays
   * valid for up to this time (G-60).
   */
  rightsKeptMs: 5_000,

  /** The lease of a claimed idempotency key. Longer than any response takes; a request that outlives its lease does no harm. */
  idempotencyLeaseMs: 20_000,
  /** The pauses between attempts to store the end of a claim. */
  idempotencyRetryPausesMs: [200, 1_000, 3_000],
  /** How long a 5xx response waits for its key to be released. */
  idempotencyOnErrorMs: 500,

  /**
   * The lease of a message that is being sent. Longer than the platform's response can take, including a token renewal
   * and the retries below. The lease ends messages whose living process could not store the outcome; a dead process is
   * detected by its missing heartbeat.
   */
  messageLeaseMs: 120_000,
  /**
   * E5 and E6 answer 202 after this long: by then the platform's call has timed out, and the rest is for storing the
   * outcome.
   */
  messageAnswerWithinMs: 10_500,
  /** The pauses between calls for a message that definitely was not sent. */
  messageCallPausesMs: [100, 400],
  /** The pauses between attempts to store an outcome or to return a message to its queue, until the message's lease ends. */
  settlePausesMs: [100, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000],
  /**
   * How long to wait for further outcomes of a shop's messages: a larger group saves PostgreSQL about a tenth of a
   * message's total cost.
   */
  settleGatherMs: 10,
  /**
   * How long a claim of unknown messages lasts. Longer than a batch takes if every call times out: 2 messages per
   * worker, with 2 calls of 10 s each. Messages whose claiming process dies wait this long.
   */
  unknownClaimMs: 90_000,
  /**
   * How long a message may wait for the platform to be asked about its missing receipt, for example because its account
   * is refused. After this its fee is released without asking.
   */
  undeliveredAskedMs: 30 * 86_400_000,

  /**
   * How long a one-time password is useful: a queued message with one is not sent later than this after it was due, nor an SMS
   * after its creation.
   */
  otpWithinMs: 300_000,

  /** How often due SMS are looked for, and how long a claim of some lasts: longer than their calls take. */
  smsEveryMs: 1_000,
  smsClaimMs: 60_000,
  /** The pauses before an SMS is handed to the provider again, which has no credit for it or whose response was lost. */
  smsRetryPausesMs: [30_000, 120_000, 600_000, 1_800_000],
  /** The pauses before the provider is asked again about an SMS that it did not report. */
  smsStatusPausesMs: [60_000, 300_000, 1_800_000, 7_200_000],
  /** How long after its creation an SMS without a one-time password may still be sent. */
  smsSendWithinMs: 2 * 3_600_000,
  /** An SMS is not charged if its delivery is still unknown after this long. */
  smsReportWithinMs: 24 * 3_600_000,

  /** How often drafts of news that are due for publication are looked for. */
  publishDraftsEveryMs: 5_000,

  /** How often the dispatcher looks for due messages when there were none. */
  dispatchIdleMs: 1_000,
  /** How often the dispatcher looks while the platform's allowance is used up. */
  dispatchPacedMs: 100,
  /** How often single sends are deducted from the platform's allowance. */
  payDebtEveryMs: 1_000,
  /** The first deferral after a temporary failure; each further one is twice as long, up to the longest. */
  deferFirstMs: 2_000,
  deferLongestMs: 300_000,
  /** How long a batch is deferred when its account must be paid for on the platform, or connected again, first. */
  deferAccountMs: 600_000,

  /** How far the platform's clock may lag behind ours. */
  platformClockSlackMs: 5 * 60_000,
  /** The time-out of a whole call to the platform. */
  platformTimeoutMs: 10_000,
  /** How long a check of a batch waits for the platform's quota before it responds without it. */
  quotaAnswerMs: 3_000,
  /** The window in which a circuit counts calls. */
  breakerWindowMs: 30_000,
  /** How long a circuit stays open at first; doubled with each failed probe, up to the longest. */
  breakerFirstPauseMs: 15_000,
  breakerLongestPauseMs: 120_000,
  /** How often a process with an open circuit checks whether the operator asked for a retry. */
  circuitRetrySeenMs: 2_000,
  /** After this time, permits that a process took from the platform's allowance but did not use expire. */
  paceKeptMs: 2_000,
  /** How much longer than the call the claim to renew an access token lasts, to leave time for storing the new pair. */
  tokenClaimMarginMs: 10_000,
  /** The pause between checks whether another process has finished a renewal that it claimed. */
  tokenClaimPauseMs: 100,
  /** The pause between checks for another process's pair after the platform reported a refresh token as used. */
  tokenReloadPauseMs: 200,
  /** An account's tokens are renewed when they are this old: far less than their lifetime of three months. */
  tokenRenewAfterMs: 7 * 24 * 3_600_000,
  /** How often idle accounts are looked for, and how soon an account that could not be renewed is tried again. */
  tokenRenewEveryMs: 3_600_000,
  /** An account counts as disconnected when no renewal has succeeded for this long. */
  tokenFailingMs: 2 * 24 * 3_600_000,
  /** How long no renewal is attempted after a refused one. */
  tokenRefusedMs: 60_000,

  /** How long the secrets that sign an official account's events are cached. */
  inboxSecretsKeptMs: 1_000,
  /** How often the inbox is checked for events that other processes stored. */
  inboxIdleMs: 1_000,
  /** Events that arrive this soon after a first one share its round, because a round costs about ten round trips. */
  inboxGatherMs: 200,
  /** The lease of an event that is processed individually: longer than three calls to the platform. */
  inboxLeaseMs: 60_000,
  /** How long a template's event waits while the limit of concurrent events is reached. */
  inboxRoomMs: 1_000,
  /** About three minutes in total. By then a send whose receipt arrived before its response has had its response. */
  inboxRetryPausesMs: [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000],
  /** Open events that are newer than this are still handled by these retries. */
  inboxRetriedMs: 5 * 60_000,
  /** A parked event that has matched nothing for this long is given up. */
  inboxOpenMs: 24 * 3_600_000,
  /** How long a stop waits for events that are being processed. */
  inboxStopMs: 5_000,

  /** The interval of the polling rounds over templates and open events. */
  pollEveryMs: 120_000,
  /** The shortest interval between two status checks of a template under review, over all processes. */
  templateReviewEveryMs: 60_000,
  templateApprovedEveryMs: 6 * 3_600_000,
  /** Longer than all attempts of a submission together. After this the job counts as lost and is queued again. */
  submissionLostMs: 2 * 3_600_000,
  /** If the platform accepts no template for this long, the cause is not its daily limit. */
  submissionLongestWaitMs: 3 * 86_400_000,
  submissionFirstRetrySeconds: 1,
  submissionLongestRetrySeconds: 300,
  /** The time for one attempt: three calls to the platform, or more if it searches for a template. */
  submissionExpireSeconds: 600,

  importFirstRetrySeconds: 1,
  importLongestRetrySeconds: 60,
  /** Longer than the largest file takes. */
  importExpireSeconds: 3_600,
  /** A process that imports counts as dead after this long without a heartbeat. pg-boss requires at least 10 s. */
  importHeartbeatSeconds: 20,

  /** How often expired jobs are looked for, and so how long the work of a killed process may wait. */
  jobsSuperviseSeconds: 20,
  /** How often ended jobs are deleted; the default would keep them for a day, whatever their queue's setting. */
  jobsMaintainSeconds: 60,
  /** How often the jobs in the queues are counted. */
  jobsCountSeconds: 20,
  /** How often a worker polls for jobs, without and with notifications. */
  jobsPollSeconds: 2,
  jobsPollNoticedSeconds: 5,

  /** How often due deliveries are looked for when there were none. */
  webhookIdleMs: 500,
  /** How often deliveries with an expired lease are looked for. */
  webhookReleaseEveryMs: 5_000,
  /** The time-out of a whole request to an endpoint (G-62). */
  webhookTimeoutMs: 15_000,
  /** Longer than a request and storing its result. After this the delivery of a process that died is sent again. */
  webhookLeaseMs: 30_000,
  /** The pauses before the 2nd to 9th attempt: eight retries over a day and a half (G-62). */
  webhookRetryPausesMs: [5, 300, 1_800, 7_200, 18_000, 28_800, 36_000, 43_200].map((s) => s * 1_000),
  /** The longest wait that a `Retry-After` can ask for a delivery, and for an endpoint. */
  webhookLongestWaitMs: 24 * 3_600_000,
  webhookLongestPauseMs: 3_600_000,
  /** An endpoint whose every attempt has failed for this long is disabled (G-62). */
  webhookFailingMs: 5 * 24 * 3_600_000,
  /** How long a stop waits for requests that are under way. A request that is given up is sent again later. */
  webhookStopMs: 3_000,
}

export type Timings = typeof TIMINGS

/**
 * The timings with some replaced. Tests and tools pass them to a process in `TIMINGS`, as a JSON object of names and
 * values.
 * @throws Error saying what is wrong: an unknown name, a value that is not a positive number, or not a list of them
 * where a list is needed.
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
