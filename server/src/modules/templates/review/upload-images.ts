import { createHash } from 'node:crypto'
import type { Deps } from '../../../deps.ts'
import { headerAddresses } from '../../../platform/chatapp/templates/layout.ts'
import {
  type AddressRule,
  guardedFetch,
  OutboundFailed,
  OutboundRefused,
  outboundRule,
} from '../../../platform/guarded-fetch.ts'
import type { ImageType, OaCredentials, PlatformOutcome, TemplateDocument } from '../../../platform/types.ts'
import { fillText, inEveryLanguage, textsIn } from '../../../texts/catalogue.ts'
import type { Texts } from '../../../texts/en.ts'
import { IMAGE_TYPES, imageEndingOf } from '../../images/rules.ts'
import { findMedia, insertMedia } from './media-sql.ts'

/** An image that could not be uploaded: `why` is for people; with `isFinal` another attempt does not help. */
export type ImageProblem = {
  kind: 'no-image'
  address: string
  why: { vi: string; en: string }
  isFinal: boolean
}
export type UploadedImages = { kind: 'ok'; media: ReadonlyMap<string, string> } | ImageProblem

/** The submission decides what a refused upload means, as it does for its other calls. */
type UploadRefusal = Exclude<PlatformOutcome<never>, { kind: 'ok' }>
export type ReadRefusal = (refusal: UploadRefusal) => Pick<ImageProblem, 'why' | 'isFinal'>

type Image = { kind: 'image'; address: string; bytes: Buffer; type: ImageType; sha256: string }

/** The platform's limit on one image. */
const MAX_IMAGE_BYTES = 500 * 1024
const TIMEOUT_MS = 10_000
/** Statuses that are usually temporary. */
const PASSING_STATUS = [408, 425, 429]

/**
 * The platform's media ids of the images in a template's header, by address. Each image is fetched, checked, and
 * uploaded unless the official account already has the same content. The first problem ends the upload. With
 * PLATFORM_IMAGES=link nothing is fetched and the map is empty.
 */
export async function uploadImages(
  deps: Pick<Deps, 'db' | 'clock' | 'platform' | 'config'>,
  oa: OaCredentials,
  document: TemplateDocument,
  readRefusal: ReadRefusal,
): Promise<UploadedImages> {
  const { db, clock, platform, config } = deps
  const media = new Map<string, string>()
  if (config.platformImages === 'link') return { kind: 'ok', media }
  const allows = outboundRule(config.outboundAllowPrivate)
  const fetched = await Promise.all(headerAddresses(document).map((address) => fetchImage(address, allows)))
  const missing = fetched.find((image) => image.kind === 'no-image')
  if (missing !== undefined) return missing
  for (const image of fetched.filter((one) => one.kind === 'image')) {
    const { address, sha256, bytes, type } = image
    let mediaId = await findMedia(db, oa, sha256)
    if (mediaId === undefined) {
      const uploaded = await platform.uploadImage(oa, bytes, type)
      if (uploaded.kind !== 'ok') return { kind: 'no-image', address, ...readRefusal(uploaded) }
      mediaId = uploaded.data.mediaId
      await insertMedia(db, oa, { address, sha256, mediaId, now: clock.now() })
    }
    media.set(address, mediaId)
  }
  return { kind: 'ok', media }
}

async function fetchImage(address: string, allows: AddressRule): Promise<Image | ImageProblem> {
  const problem = (
    why: keyof Texts['image'],
    isFinal: boolean,
    values: Record<string, string | number> = {},
  ): ImageProblem => ({
    kind: 'no-image',
    address,
    why: inEveryLanguage((language) => fillText(textsIn(language).image[why], values)),
    isFinal,
  })
  try {
    const { status, body } = await guardedFetch({
      url: address,
      allows,
      maxBytes: MAX_IMAGE_BYTES,
      timeoutMs: TIMEOUT_MS,
    })
    if (status !== 200) {
      const isFinal = status < 500 && !PASSING_STATUS.includes(status)
      return problem('status', isFinal, { status })
    }
    const ending = imageEndingOf(body)
    // The platform takes PNG and JPEG only.
    if (ending === undefined || ending === 'webp') return problem('type', true)
    const sha256 = createHash('sha256').update(body).digest('hex')
    return { kind: 'image', address, bytes: body, type: IMAGE_TYPES[ending], sha256 }
  } catch (error) {
    if (error instanceof OutboundRefused) return problem(error.reason, true)
    if (error instanceof OutboundFailed) return problem('failed', false, { cause: error.message })
    throw error
  }
}
