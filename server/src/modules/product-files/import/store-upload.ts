import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Deps } from '../../../deps.ts'
import { invalidField, ValidationError } from '../../../errors.ts'
import { BodyNotUtf8 } from '../../../http/validation/validate.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { fillText, type Language, textsIn } from '../../../texts/catalogue.ts'
import { readHeader } from '../format/read-lines.ts'
import { type Format, MAX_UPLOAD_BYTES, UnusableFile } from './rules.ts'
import { deleteUnusedUpload, insertChunk } from './upload-sql.ts'

const CHUNK_BYTES = 512 * 1024

export class UploadTooLarge extends Error {}

/** A body that is stored in the database. Its JSON is used to recognize equal requests (G-10). */
export class StoredUpload {
  readonly id: ObjectId
  readonly format: Format
  readonly sha256: string
  readonly query: unknown

  constructor(given: { id: ObjectId; format: Format; sha256: string; query: unknown }) {
    this.id = given.id
    this.format = given.format
    this.sha256 = given.sha256
    this.query = given.query
  }

  toJSON(): object {
    return { format: this.format, sha256: this.sha256, query: this.query }
  }
}

/**
 * Writes a body into the database as it arrives, some hundred KB at a time; it is never in memory as a whole. Nothing
 * is kept of a body that is refused or breaks off. The rest of a refused body is read and dropped: otherwise a proxy
 * that is still sending would lose the connection and the response, and would answer 502 itself.
 * @throws UploadTooLarge; BodyNotUtf8; ValidationError for an empty file and for unknown columns.
 */
export async function storeUpload(
  { db, ids, clock }: Pick<Deps, 'db' | 'ids' | 'clock'>,
  shopId: ObjectId,
  body: Readable,
  given: { format: Format; query: unknown; language: Language },
): Promise<StoredUpload> {
  const id = ids.next()
  const hash = createHash('sha256')
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let n = 0
  let size = 0
  let waiting: Buffer[] = []
  let waitingBytes = 0

  async function store(): Promise<void> {
    const bytes = Buffer.concat(waiting)
    waiting = []
    waitingBytes = 0
    if (n === 0) checkBeginning(bytes, given)
    await insertChunk(db, shopId, { uploadId: id, n, bytes, now: clock.now() })
    n += 1
  }

  try {
    for await (const piece of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += piece.length
      if (size > MAX_UPLOAD_BYTES) throw new UploadTooLarge()
      decode(decoder, piece)
      hash.update(piece)
      waiting.push(piece)
      waitingBytes += piece.length
      if (waitingBytes >= CHUNK_BYTES) await store()
    }
    decode(decoder, undefined)
    if (waitingBytes > 0 || n === 0) await store()
  } catch (error) {
    if (n > 0) await deleteUnusedUpload(db, shopId, id)
    if (error instanceof UploadTooLarge) body.destroy()
    else await readToItsEnd(body, MAX_UPLOAD_BYTES - size)
    throw error
  }
  return new StoredUpload({ id, format: given.format, sha256: hash.digest('hex'), query: given.query })
}

/** Reads and drops the rest of a body, up to `most` bytes: no more is received than for a file that is stored. */
async function readToItsEnd(body: Readable, most: number): Promise<void> {
  let size = 0
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      size += piece.length
      if (size > most) return
    }
  } catch {
    // The caller has disconnected, so there is no one to respond to.
  }
}

function decode(decoder: InstanceType<typeof TextDecoder>, piece: Buffer | undefined): void {
  try {
    if (piece === undefined) decoder.decode()
    else decoder.decode(piece, { stream: true })
  } catch {
    throw new BodyNotUtf8()
  }
}

function checkBeginning(bytes: Buffer, { format, language }: { format: Format; language: Language }): void {
  if (bytes.length === 0) throw invalidField(['file'], 'file.empty')
  if (format !== 'csv') return
  try {
    readHeader(bytes)
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error
    const texts = textsIn(language)
    const reason = fillText(texts.importFailed[error.failure], error.values)
    const message = `"file" ${fillText(texts.unusableFile, { reason })}`
    throw new ValidationError('body', [
      { path: ['file'], rule: 'file.unusable', values: { reason }, message },
    ])
  }
}
