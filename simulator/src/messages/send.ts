import type { Json } from '../read.ts'
import type { Oa, Template } from '../state.ts'

/** A message that is asked for. */
export type Send = {
  oa: Oa
  channel: 'phone' | 'uid'
  recipient: string
  trackingId: string
  template: Template
  params: Json
  developmentMode: boolean
}
