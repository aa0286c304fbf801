import type { Db } from '../../../db/client.ts'
import { type ExportFile, exportChunks } from '../../../http/formats/export-chunks.ts'
import type { Language } from '../../../http/language.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { CANCELLED } from '../outcome/endings.ts'
import { shownCode } from '../present.ts'
import { errorText } from './reason-text.ts'
import { type ExportedMessage, type HistoryFilter, listMessagesAfter } from './sql.ts'

/** About 150 KB of text. */
const CHUNK = 500

const COLUMNS = [
  'id',
  'sentAt',
  'channel',
  'phone',
  'userUID',
  'templateId',
  'templateName',
  'status',
  'reason',
  'reasonCode',
  'deliveredAt',
  'charged',
  'sessionId',
  'params',
] as const

const FILE: ExportFile<(typeof COLUMNS)[number]> = {
  columns: COLUMNS,
  ids: ['templateId', 'sessionId', 'id'],
  headings: ({ messages }) => messages,
  words: ({ messageChannel, messageStatus }) => ({ channel: messageChannel, status: messageStatus }),
}

/**
 * The ended messages of a filter as CSV, the last sent first, a chunk of lines at a time (G-25): UTF-8 with a byte order mark,
 * CRLF, texts in quotes, the reason in the reader's language. A text that a spreadsheet would interpret as a formula is prefixed
 * with an apostrophe. With `labels` it is written for people, the reason included (G-121). Messages that end in the meantime are not
 * included unless they were sent before the chunk's place; between two chunks nothing is locked or open in the database.
 */
export function exportMessages(
  db: Db,
  shopId: ObjectId,
  filter: HistoryFilter,
  { labels, language }: { labels: Language | undefined; language: Language },
): AsyncGenerator<string, void> {
  return exportChunks(FILE, labels, {
    read: (after: ExportedMessage | undefined) =>
      listMessagesAfter(db, shopId, filter, after && { key: after.cursor_key, id: after.id }, CHUNK),
    linesOf: (row: ExportedMessage) => [line(row, labels, language)],
    hasMore: (rows) => rows.length === CHUNK,
  })
}

function line(row: ExportedMessage, labels: Language | undefined, language: Language) {
  return {
    id: row.id,
    sentAt: row.sending_at,
    channel: row.channel,
    phone: row.phone,
    userUID: row.user_uid,
    templateId: row.platform_template_id,
    templateName: row.template_name,
    // The code stays for programs; people read that it was cancelled, as on the screens.
    status: labels !== undefined && row.error_code === CANCELLED ? CANCELLED : row.state,
    reason: row.state === 'ERROR' ? errorText(row.error_code, row.error_text, labels ?? language) : '',
    reasonCode: shownCode(row.error_code),
    deliveredAt: row.delivered_at,
    charged: row.charged,
    sessionId: row.state === 'ERROR' ? '' : row.session_id,
    params: row.params,
  }
}
