/** The header by which a caller says what it holds (G-70), of operations whose answers are kept. */
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

/** The responses of such an operation: its 200 with an ETag, and a 304, which is a reference to what `named` takes up. */
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

/** The header by which a caller changes a record only as it knows it (G-71), of operations that refuse RECORD_CHANGED. */
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

/** The responses of an operation that shows a record with its version. */
export function withVersion(responses: Responses): Responses {
  return { ...responses, 200: { ...responses[200], headers: versionTag } }
}
