/** The header with the ETag of the response that the caller already has (G-70), for operations whose responses are kept. */
export const ifNoneMatchHeader = {
  'if-none-match': {
    type: 'string' as const,
    description:
      'The `ETag` of an earlier response to the same request: 304 without a body while the response is still the same',
  },
}

const etag = {
  ETag: { description: 'Identifies exactly this response, for `If-None-Match`', schema: { type: 'string' } },
}

type Responses = Record<string, object>

/** Adds the ETag to the 200 of such an operation, and a 304. The 304 is a reference to an entry that is added to `named`. */
export function withNotModified(responses: Responses, named: Responses): Responses {
  named.NotModified = {
    description: 'The response is still the one that `If-None-Match` names',
    headers: etag,
  }
  return {
    ...responses,
    200: { ...responses[200], headers: etag },
    304: { $ref: '#/components/responses/NotModified' },
  }
}

/**
 * The header that makes a change conditional on the version that the caller knows (G-71), for operations that can
 * return RECORD_CHANGED.
 */
export const ifMatchHeader = {
  'if-match': {
    type: 'string' as const,
    description:
      'The `ETag` of the record as you read it: 412 `RECORD_CHANGED` if it was changed since. Without it, the change is made to the record as it is',
  },
}

const versionTag = {
  ETag: { description: 'Identifies this version of the record, for `If-Match`', schema: { type: 'string' } },
}

/** Adds the ETag to the 200 of an operation whose response has a record's version; what is made under a record has no 200. */
export function withVersion(responses: Responses): Responses {
  if (responses[200] === undefined) return responses
  return { ...responses, 200: { ...responses[200], headers: versionTag } }
}
