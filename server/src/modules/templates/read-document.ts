import type { TemplateDocument } from '../../platform/types.ts'
import { refusalOf } from './lint/wording.ts'
import { findOversize, interpretBody } from './rules.ts'
import type { TemplateBody } from './schema.ts'

/**
 * The template that a body of create or update describes. @throws ValidationError for the first rule that the body
 * breaks (E1, G-11, G-12, G-13).
 */
export function readDocument(body: TemplateBody): TemplateDocument {
  const oversize = findOversize(body)
  if (oversize !== undefined) throw refusalOf(oversize)
  return interpretBody(body, (finding) => {
    throw refusalOf(finding)
  })
}
