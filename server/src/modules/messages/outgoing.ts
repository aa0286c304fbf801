import type { Sendable, SendableTemplate } from './rules.ts'
import type { NewMessage } from './sql.ts'

/** An accepted message: its row is in SENDING and its fee is held. `accessToken` is the OA's, sealed. */
export type MessageUnderWay = NewMessage & Sendable & { accessToken: Uint8Array | null }

/** What the call of the platform needs of a message. */
export type Outgoing = Pick<
  MessageUnderWay,
  'id' | 'channel' | 'phone' | 'userUid' | 'params' | 'isSample' | 'platformTemplateId' | 'accessToken'
> & { template: Pick<SendableTemplate, 'oaId' | 'params'> }
