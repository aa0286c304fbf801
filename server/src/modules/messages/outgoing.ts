import type { Sendable, SendableTemplate } from './rules.ts'
import type { AccountRow, NewMessage } from './sql.ts'

/** An accepted message: its row is in SENDING and its fee is held. */
export type MessageUnderWay = NewMessage &
  Sendable & {
    account: AccountRow
    /** Whether an SMS may go out in its place (G-91). */
    hasSmsText: boolean
  }

/** The fields of a message that the platform call needs. */
export type Outgoing = Pick<
  MessageUnderWay,
  | 'id'
  | 'channel'
  | 'phone'
  | 'userUid'
  | 'params'
  | 'isSample'
  | 'platformTemplateId'
  | 'account'
  | 'hasSmsText'
> & { template: Pick<SendableTemplate, 'oaId' | 'params'> }
