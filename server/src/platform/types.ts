/** A template as the shop writes it: the contract's fields of create and update (E1, E2). */
export type TemplateDocument = {
  oaId: string
  name: string
  description?: string
  title: string
  tag: '1' | '2' | '3'
  templateType: 'custom' | 'voucher' | 'rating'
  imageType: 'logo' | 'image'
  logoLight?: string
  logoDark?: string
  images?: string[]
  contentBlocks: ContentBlock[]
  buttons: TemplateButton[]
  params: TemplateParam[]
  voucher?: TemplateVoucher
  rating?: TemplateRating
  isCustomParams: boolean
  note?: string
}

/**
 * One block of the body; the field named after `type` has its content (`value` for a paragraph, `rows` for a table).
 */
export type ContentBlock = {
  id: string
  type: 'paragraph' | 'table' | 'voucher' | 'rating'
  value?: string
  rows?: TableRow[]
  voucher?: TemplateVoucher
  rating?: TemplateRating
}

export type TableRow = { label: string; key: string; rowType?: number }

export type TemplateButton = { label: string; type: string; value?: string }

export type TemplateParam = {
  key: string
  label: string
  techSetting?: string
  maxLength?: number
  sampleValue?: string
  rowType?: number
  isFixed?: boolean
}

export type TemplateVoucher = {
  code: string
  title: string
  condition: string
  startDate?: string
  expiryDate: string
}

export type RatingItem = {
  star: number
  title: string
  question: string
  answers?: string[]
  thanks?: string
  description?: string
}

export type TemplateRating = { items: RatingItem[] }

/**
 * What is submitted for review. `trackingId` (at most 48 characters) is ours and appears only in logs. `media` has the
 * ids of the uploaded images by their address; an image without an id is given by its address.
 */
export type TemplateSubmission = {
  document: TemplateDocument
  trackingId: string
  media?: ReadonlyMap<string, string>
}

/** The image types that the platform accepts. */
export type ImageType = 'image/png' | 'image/jpeg'

/** The official account that a call is made for. Without `accessToken` the token store decides which token is used. */
export type OaCredentials = {
  shopId: string
  oaId: string
  appId?: string
  secretKey?: string
  accessToken?: string
  refreshToken?: string
}

/** The classes of refusals, whatever their number (docs/reference/platform.md, "Errors"). */
export type RejectClass =
  | 'auth'
  | 'configuration'
  | 'platform-money'
  | 'payload'
  | 'recipient'
  | 'template'
  | 'later'
  | 'transient'
  | 'other'

/** The platform accepted. `raw` is its whole response. */
export type PlatformOk<T> = { kind: 'ok'; data: T; raw: unknown }

/**
 * The platform refused: nothing was sent and nothing was created. `retryAt` is the earliest useful time for a retry.
 */
export type PlatformRejected = {
  kind: 'rejected'
  code: number
  class: RejectClass
  message: string
  /** No message can reach this recipient by this channel, whatever its content. */
  unreachable?: 'NO_ACCOUNT' | 'BLOCKED'
  retryAt?: Date
  raw: unknown
}

/** The outcome is unknown. `surelyNotSent` only if the request cannot have reached the platform. */
export type PlatformUnknown = { kind: 'unknown'; cause: string; surelyNotSent: boolean }

/** The outcome of one call. The caller decides whether to retry, never the adapter. */
export type PlatformOutcome<T> = PlatformOk<T> | PlatformRejected | PlatformUnknown

/** Our status for the platform's template status; a deleted template is `DISABLE` with `deleted: true`. */
export type PlatformTemplateStatus = 'PENDING_REVIEW' | 'ENABLE' | 'REJECTED' | 'DISABLE'

/** The response to a submission. Prices are integer đồng and may be missing until approval. */
export type SubmittedTemplate = {
  platformTemplateId: string
  status: PlatformTemplateStatus
  priceVnd?: number
  priceUidVnd?: number
  previewUrl?: string
}

/** A template as the platform has it. `status` is absent if the platform's value is unknown to us. */
export type PlatformTemplate = {
  platformTemplateId: string
  name: string
  status?: PlatformTemplateStatus
  deleted: boolean
  reason?: string
  params: PlatformTemplateParam[]
  buttons: { type: string; title: string; content: string }[]
  quality?: string
  tag?: string
  previewUrl?: string
  priceVnd?: number
  priceUidVnd?: number
  /** How long the platform tries to deliver a message; whole seconds. */
  timeoutSeconds?: number
}

export type PlatformTemplateParam = {
  name: string
  required: boolean
  type: string
  maxLength?: number
  minLength?: number
  acceptNull: boolean
}

export type PlatformTemplateListItem = {
  platformTemplateId: string
  name: string
  status?: PlatformTemplateStatus
  deleted: boolean
  quality?: string
  createdAt?: Date
}

/** One page of the OA's templates; `total` counts all pages. */
export type PlatformTemplateList = { templates: PlatformTemplateListItem[]; total: number }

/** A message that the platform accepted. `sentAt` is by its clock. */
export type AcceptedMessage = { msgId: string; sentAt?: Date }

/**
 * `unknown`: the platform does not know it; `pushed`: on its way; `delivered`: on the phone at `deliveredAt`; `failed`:
 * it will not arrive, if the provider reports that.
 */
export type PlatformMessageStatus = {
  status: 'unknown' | 'pushed' | 'delivered' | 'failed'
  deliveredAt?: Date
}

/** How many messages the platform takes of an account a day, and how many it still takes today. */
export type DayQuota = { daily: number; remaining: number }

export type PhoneMessage = {
  /** `84…`, digits only. */
  phone: string
  /** The platform's number, not ours. */
  templateId: string
  params: Record<string, string>
  /** Our message id, at most 48 characters. */
  trackingId: string
  /** Development mode: reaches the OA's administrators only and costs nothing (G-23). */
  development: boolean
}

export type UidMessage = { userId: string; templateId: string; params: Record<string, string> }

export type TemplateListQuery = {
  offset: number
  /** At most 100. */
  limit: number
  status?: PlatformTemplateStatus
}

/** The messaging platform. No call throws for what the network or the platform does: see {@link PlatformOutcome}. */
export interface Platform {
  /** Keeps an image of at most 500 KB for the OA's templates. */
  uploadImage(
    oa: OaCredentials,
    bytes: Buffer,
    type: ImageType,
  ): Promise<PlatformOutcome<{ mediaId: string }>>
  createTemplate(
    oa: OaCredentials,
    submission: TemplateSubmission,
  ): Promise<PlatformOutcome<SubmittedTemplate>>
  editTemplate(
    oa: OaCredentials,
    platformTemplateId: string,
    submission: TemplateSubmission,
  ): Promise<PlatformOutcome<SubmittedTemplate>>
  templateInfo(oa: OaCredentials, platformTemplateId: string): Promise<PlatformOutcome<PlatformTemplate>>
  listTemplates(oa: OaCredentials, query: TemplateListQuery): Promise<PlatformOutcome<PlatformTemplateList>>
  sendToPhone(oa: OaCredentials, message: PhoneMessage): Promise<PlatformOutcome<AcceptedMessage>>
  sendToUid(oa: OaCredentials, message: UidMessage): Promise<PlatformOutcome<AcceptedMessage>>
  messageStatus(oa: OaCredentials, msgId: string): Promise<PlatformOutcome<PlatformMessageStatus>>
  messageQuota(oa: OaCredentials): Promise<PlatformOutcome<DayQuota>>
}

/** The log of the adapter and the token store; pino fits. It never gets tokens or phones. */
export type PlatformLog = { warn(fields: Record<string, unknown>, message: string): void }
