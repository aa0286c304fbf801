import type { Deps } from '../../../deps.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { reviewHints } from '../../../platform/chatapp/templates/review-hints.ts'
import { platformWarnings } from '../../../platform/chatapp/templates/template-limits.ts'
import type { Language } from '../../../texts/catalogue.ts'
import { type Finding, findOversize, interpretBody, type Path, reportUnpublishable } from '../rules.ts'
import { isOaLinked } from '../sql.ts'
import { shapeBody } from './lint-shape.ts'
import { sentenceOf, sentenceOfBreach } from './wording.ts'

export type LintMessage = { path: string; message: string }
export type Lint = { errors: LintMessage[]; warnings: LintMessage[] }

/** A body of a megabyte can have more mistakes than anyone reads. */
const MAX_ERRORS = 200

/**
 * Everything in a body that create or publish would refuse, the platform's limits that it breaks, and what the
 * platform's reviewers usually refuse; nothing is stored (G-15). Paths are written with dots. Checks that depend on a
 * broken field are skipped. At most 200 errors. With PLATFORM_STRICT the platform's limits are errors. Content beyond
 * create's total limit is reported and not checked further.
 * @throws ValidationError for a text that is too long to check.
 */
export async function lintTemplate(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  shopId: ObjectId,
  body: object,
  language: Language,
): Promise<Lint> {
  const errors: LintMessage[] = []
  const isFull = () => errors.length >= MAX_ERRORS
  const add = (path: Path, message: string) => errors.push({ path: path.join('.'), message })
  const unreadable = createPaths()
  const sent = shapeBody(body, (breach) => {
    // Building a text is expensive, so only the findings that are returned get one.
    if (!isFull()) add(breach.path, sentenceOfBreach(breach, language))
    if (!breach.isKept) unreadable.add(breach.path)
  })

  const report = (finding: Finding) => {
    const { path, from = [] } = finding
    if (isFull()) return
    if (unreadable.touches(path) || from.some((field) => unreadable.touches([field]))) return
    add(path, sentenceOf(finding, language))
  }
  const oversize = findOversize(sent)
  if (oversize !== undefined) {
    report(oversize)
    return { errors, warnings: [] }
  }
  const document = interpretBody(sent, report)
  const isLinked = sent.oaId !== '' && (await isOaLinked(db, shopId, sent.oaId))
  reportUnpublishable(document, isLinked, report)

  const isReadable = ({ path }: LintMessage) => !unreadable.touches(path.split('.', 1))
  const limits = platformWarnings(document, language).filter(isReadable)
  const hints = reviewHints(document, language).filter(isReadable)
  return config.platformStrict
    ? { errors: [...errors, ...limits], warnings: hints }
    : { errors, warnings: [...limits, ...hints] }
}

/** A set of paths. `touches` says whether a path is in the set, or above or below one of its paths. */
function createPaths() {
  const members = new Set<string>()
  const above = new Set<string>()
  const beginnings = (path: Path) => path.map((_, index) => path.slice(0, index + 1).join('.'))
  return {
    add(path: Path): void {
      members.add(path.join('.'))
      for (const beginning of beginnings(path)) above.add(beginning)
    },
    touches: (path: Path): boolean =>
      above.has(path.join('.')) || beginnings(path).some((beginning) => members.has(beginning)),
  }
}
