import { invalidQuery, Refused } from '../../../errors.ts'
import { listedWords } from '../../../lib/lists/listed-words.ts'
import type { Scope } from '../../access/keys/rules.ts'
import { missingScope, type RecordType, TYPE_NAMES } from '../record-types.ts'

/**
 * The types that a caller asks for, or all types that its scopes allow.
 * @throws ValidationError for an unknown type; Refused SCOPE_MISSING naming the scope that one of the types needs.
 */
export function askedTypes(text: string | undefined, held: readonly Scope[]): RecordType[] {
  const asked = listedWords(text)
  if (asked.length === 0) return TYPE_NAMES.filter((type) => missingScope(type, held) === undefined)
  return asked.map((word) => {
    const type = TYPE_NAMES.find((one) => one === word)
    if (type === undefined) throw invalidQuery('types', 'select.parts', { valids: TYPE_NAMES })
    const scope = missingScope(type, held)
    if (scope !== undefined) throw new Refused('SCOPE_MISSING', { scope })
    return type
  })
}
