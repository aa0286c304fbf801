/** The options that a simulator starts with. */
export type SimulatorOptions = {
  /**
   * Base address of the receiver; the events of all OAs go to `${webhookUrl}/hooks/platform`. Absent: no events are
   * sent.
   */
  webhookUrl?: string | (() => string)
  /** Time until a template is reviewed; if negative, it is reviewed only by hand. Default 3000. */
  reviewMs?: number
  /** Time from accepting a message to its receipt. Default 300. */
  deliveryMs?: number
  /** Makes ids and random faults repeatable. Without it, ids differ from run to run, as on a real platform. */
  seed?: number
  /** How long a hanging call is held before the connection is cut. Default 30 000. */
  hangMs?: number
  /** Time that an event's receiver has to respond with 200. Default 2000. */
  eventTimeoutMs?: number
  /** Factor on the delays of repeated events (30 s, 5 min, 15 min, 30 min, 1 h). Default 1. */
  repeatScale?: number
  /** The time, stated by templates, after which a message is no longer delivered. Default 2 hours. */
  templateTimeoutMs?: number
  /** The host name or address that it listens on, if not the loopback; see desk-guard.ts. */
  host?: string
  /** The app of OAs that have no app of their own. */
  appId?: string
  /** The app's OA secret key, which signs events; random by default. */
  secret?: string
  /** The app secret that token requests must carry; without it, any secret and app are accepted. */
  appSecret?: string
  /**
   * How many of the newest messages are kept. Older ones are dropped, but their charges stay in the totals. Default
   * 200 000.
   */
  maxMessages?: number
  /** A file that keeps templates and tokens across a restart. Absent: nothing is kept. */
  statePath?: string
  now?: () => number
  logger?: boolean | { level: string }
}

/** The settings that control calls can change. */
export type Settings = {
  webhookUrl: string | (() => string) | undefined
  /** The full address that was saved for the app; it replaces the one under `webhookUrl`. */
  webhookAddress: string | undefined
  reviewMs: number
  deliveryMs: number
  hangMs: number
  eventTimeoutMs: number
  repeatScale: number
  templateTimeoutMs: number
  appId: string
  secret: string
  appSecret: string | undefined
  dropRepeatedTrackingId: boolean
  suppressEvents: boolean
  /** Refuse between 22:00 and 06:00 in Vietnam; off by default, so that tests pass at any hour. */
  nightWindow: boolean
  dailyQuota: number
  templateDailyQuota: number
  monthlyPromotionQuota: number
  /** Messages per day for one template, and to one recipient from one OA; 0: no limit. */
  templateSendsPerDay: number
  recipientSendsPerDay: number
  templateCreatesPerDay: number
  templateEditsPerDay: number
  /** The prepaid balance of each OA, in đồng; charges cannot exceed it. */
  walletVnd: number
  /** 0: no limit. */
  requestsPerMinute: number
  /** Phone numbers that development mode reaches; empty: any. */
  administrators: string[]
  /** The keys and brandnames that the SMS provider knows; if unset, it accepts any. */
  smsApiKey: string | undefined
  smsSecretKey: string | undefined
  smsBrandnames: string[]
  /** The prepaid balance with the SMS provider, and its price of an SMS. */
  smsBalanceVnd: number
  smsPriceVnd: number
  /** Time from accepting an SMS to its report. */
  smsCallbackMs: number
  /** How many of the next SMS are refused, and with which number. */
  smsRefusals: { code: number; times: number }
  clockOffsetMs: number
}

/** The settings at the start and after a reset. */
export function defaultSettings(options: SimulatorOptions & { secret: string }): Settings {
  return {
    webhookUrl: options.webhookUrl,
    webhookAddress: undefined,
    reviewMs: options.reviewMs ?? 3000,
    deliveryMs: options.deliveryMs ?? 300,
    hangMs: options.hangMs ?? 30_000,
    eventTimeoutMs: options.eventTimeoutMs ?? 2000,
    repeatScale: options.repeatScale ?? 1,
    templateTimeoutMs: options.templateTimeoutMs ?? 7_200_000,
    appId: options.appId ?? 'simulator',
    secret: options.secret,
    appSecret: options.appSecret,
    dropRepeatedTrackingId: false,
    suppressEvents: false,
    nightWindow: false,
    dailyQuota: 1_000_000,
    templateDailyQuota: 1_000_000,
    monthlyPromotionQuota: 1_000_000,
    templateSendsPerDay: 0,
    recipientSendsPerDay: 0,
    templateCreatesPerDay: 100,
    templateEditsPerDay: 100,
    walletVnd: 1_000_000_000_000,
    requestsPerMinute: 0,
    administrators: [],
    smsApiKey: undefined,
    smsSecretKey: undefined,
    smsBrandnames: [],
    smsBalanceVnd: 1_000_000_000_000,
    smsPriceVnd: 350,
    smsCallbackMs: options.deliveryMs ?? 300,
    smsRefusals: { code: 103, times: 0 },
    clockOffsetMs: 0,
  }
}
