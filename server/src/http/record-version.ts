import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { problemOf, ValidationError } from '../errors.ts'
import type { Edit } from '../lib/edit.ts'
import type { ObjectId } from '../lib/object-id.ts'
import { tagsOf } from './entity-tags.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For the API document: this read is not kept (G-70) but its response has the record's version. */
    showsVersion?: boolean
  }
}

const HEADER = 'if-match'
/**
 * A record's tag: its version, followed in the response to a read by the hash of the bytes. A proxy that compresses may
 * have appended its encoding (`-gzip`), and removes it from `If-None-Match` only.
 */
const RECORD_TAG = /^"(\d{1,10})(?:[.-][\w.-]{1,80})?"$/

/** The id of the key or member that makes a request; null for the operator's token. */
export function editorOf(request: FastifyRequest): ObjectId | null {
  return request.shop?.keyId ?? request.memberId ?? null
}

/**
 * Who requests the change and, with `If-Match`, which versions of the record they know (G-71). Tags are compared
 * strongly: a weak tag, or one of another form, stands for no version.
 * @throws ValidationError when `If-Match` is neither `*` nor a list of tags.
 */
export function editOf(request: FastifyRequest): Edit {
  const by = editorOf(request)
  const header = request.headers[HEADER]
  if (header === undefined || header.trim() === '*') return { by, known: undefined }
  const tags = tagsOf(header)
  if (tags === undefined) throw new ValidationError('headers', [problemOf([HEADER], 'header.tags')])
  const known = tags.flatMap((tag) => {
    const version = RECORD_TAG.exec(tag)?.[1]
    return version === undefined ? [] : [Number(version)]
  })
  return { by, known }
}

/** The tag of a record's version, as the response to a change has it. */
export function versionTag(version: number): string {
  return `"${version}"`
}

/**
 * Sets the tag of the record in the response (G-71). Caches must not store the response unless G-70 allows it, because
 * it contains a shop's data.
 */
export function showVersion(reply: FastifyReply, version: number): void {
  reply.header('etag', versionTag(version))
  reply.header('cache-control', 'no-store')
}

/** onSend: adds the hash of the bytes to the tag of a record that was read, because a strong tag must identify the bytes. */
export function nameBytes(
  { method }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const etag = reply.getHeader('etag')
  const version = etag === undefined ? undefined : /^"(\d+)"$/.exec(String(etag))?.[1]
  if (version !== undefined && (method === 'GET' || method === 'HEAD') && typeof payload === 'string') {
    reply.header('etag', `"${version}.${hash('sha1', payload, 'base64url')}"`)
  }
  done(null, payload)
}
