import { MalformedId } from '../../errors.ts'
import { isObjectId, type ObjectId } from '../../lib/object-id.ts'

/**
 * The id in a path or a query, in lower case.
 * @throws MalformedId (500) naming `parameter` when it is not 24 hex characters (G-04). Checked before any SQL.
 */
export function objectId(text: string, parameter: string): ObjectId {
  if (!isObjectId(text)) throw new MalformedId(parameter)
  return text.toLowerCase()
}

/** Like {@link objectId}, for a parameter that may be absent. */
export function optionalObjectId(text: string | undefined, parameter: string): ObjectId | undefined {
  return text === undefined ? undefined : objectId(text, parameter)
}

/**
 * The id in a request's path parameter `parameter`.
 * @throws MalformedId as {@link objectId}.
 */
export function pathId(params: unknown, parameter = 'id'): ObjectId {
  return objectId((params as Record<string, string>)[parameter]!, parameter)
}
