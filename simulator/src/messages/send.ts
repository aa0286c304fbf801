import type { Json } from '../read.ts'
import type { Oa, Template } from '../state.ts'

/** A requested message. */
export type Send = {
  oa: Oa
  channel: 'phone' | 'uid'
  recipient: string
  trackingId: string
  template: Template
  params: Json
  developmentMode: boolean
}
