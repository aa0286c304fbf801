import { asJson, asList, asText, isJson, type Json } from '../read.ts'

export type Row = { title: string; value: string; rowType: string }
export type Button = { type: string; title: string; content: string }
export type RatingItem = {
  star: string
  title: string
  question: string
  answers: string[]
  thanks: string
  description: string
}

/** One component of a layout. `OTHER` has the name of a component that the simulator does not draw. */
export type Component =
  | { kind: 'LOGO'; light: string; dark: string }
  | { kind: 'IMAGES'; mediaIds: string[] }
  | { kind: 'TITLE' | 'PARAGRAPH'; value: string }
  | { kind: 'TABLE'; rows: Row[] }
  | { kind: 'VOUCHER'; name: string; condition: string; code: string; startDate: string; endDate: string }
  | { kind: 'RATING'; items: RatingItem[] }
  | { kind: 'BUTTONS'; items: Button[] }
  | { kind: 'OTHER'; name: string }

export type Layout = { header: Component[]; body: Component[]; footer: Component[] }

/** The layout of a submission, or the problem that makes it unreadable. */
export function readLayout(input: unknown): Layout | string {
  if (!isJson(input)) return 'layout must be an object'
  const layout: Layout = { header: [], body: [], footer: [] }
  for (const section of ['header', 'body', 'footer'] as const) {
    if (input[section] === undefined || input[section] === null) continue
    const components = asJson(input[section]).components
    if (!Array.isArray(components)) return `layout.${section}.components must be a list`
    for (const [index, item] of components.entries()) {
      const names = isJson(item) ? Object.keys(item) : []
      const name = names[0]
      if (name === undefined || names.length !== 1 || !isJson(item) || !isJson(item[name])) {
        return `layout.${section}.components[${index}] must be one named component`
      }
      layout[section].push(readComponent(name, item[name]))
    }
  }
  if (layout.body.length === 0) return 'layout.body needs at least one component'
  return layout
}

function readComponent(kind: string, at: Json): Component {
  switch (kind) {
    case 'LOGO':
      return { kind, light: asText(asJson(at.light).media_id), dark: asText(asJson(at.dark).media_id) }
    case 'IMAGES':
      return { kind, mediaIds: asList(at.items).map((item) => asText(asJson(item).media_id)) }
    case 'TITLE':
    case 'PARAGRAPH':
      return { kind, value: asText(at.value) }
    case 'TABLE':
      return {
        kind,
        rows: asList(at.rows).map((row) => {
          const { title, value, row_type } = asJson(row)
          return { title: asText(title), value: asText(value), rowType: asText(row_type) || '0' }
        }),
      }
    case 'VOUCHER':
      return {
        kind,
        name: asText(at.name),
        condition: asText(at.condition),
        code: asText(at.voucher_code),
        startDate: asText(at.start_date),
        endDate: asText(at.end_date),
      }
    case 'RATING':
      return {
        kind,
        items: asList(at.items).map((entry) => {
          const item = asJson(entry)
          return {
            star: asText(item.star),
            title: asText(item.title),
            question: asText(item.question),
            answers: asList(item.answers).map(asText),
            thanks: asText(item.thanks),
            description: asText(item.description),
          }
        }),
      }
    case 'BUTTONS':
      return {
        kind,
        items: asList(at.items).map((entry) => {
          const { type, title, content } = asJson(entry)
          return { type: asText(type), title: asText(title), content: asText(content) }
        }),
      }
    default:
      return { kind: 'OTHER', name: kind }
  }
}

export function components(layout: Layout): Component[] {
  return [...layout.header, ...layout.body, ...layout.footer]
}

export function buttonsOf(layout: Layout): Button[] {
  return components(layout).flatMap((part) => (part.kind === 'BUTTONS' ? part.items : []))
}

/** All texts of a component that may contain parameters. */
function textsOf(part: Component): string[] {
  switch (part.kind) {
    case 'TITLE':
    case 'PARAGRAPH':
      return [part.value]
    case 'TABLE':
      return part.rows.flatMap((row) => [row.title, row.value])
    case 'VOUCHER':
      return [part.name, part.condition, part.code, part.startDate, part.endDate]
    case 'RATING':
      return part.items.flatMap((item) => [item.title, item.question, item.thanks, item.description])
    case 'BUTTONS':
      return part.items.flatMap((item) => [item.title, item.content])
    default:
      return []
  }
}

// The same grammar of parameters as the service's, so that both find the same ones.
const PARAM = /<([\p{L}\p{M}\p{N}_]+)>/gu

export function paramsUsed(layout: Layout): Set<string> {
  const names = new Set<string>()
  for (const part of components(layout)) {
    for (const text of textsOf(part)) for (const match of text.matchAll(PARAM)) names.add(match[1] ?? '')
  }
  return names
}

export function withoutParams(text: string): string {
  return text.replace(PARAM, ' ')
}

/** The text with its parameters replaced; one without a value stays as written. */
export function fill(text: string, values: Json): string {
  return text.replace(PARAM, (whole, name: string) =>
    Object.hasOwn(values, name) ? asText(values[name]) : whole,
  )
}

/** The message as lines of plain text, in the order in which the customer reads them. */
export function renderText(layout: Layout, values: Json): string {
  const lines: string[] = []
  for (const part of components(layout)) {
    if (part.kind === 'TABLE') {
      for (const row of part.rows) lines.push(`${fill(row.title, values)}: ${fill(row.value, values)}`)
    } else if (part.kind === 'BUTTONS') {
      for (const item of part.items)
        lines.push(`[${fill(item.title, values)}] ${fill(item.content, values)}`.trim())
    } else {
      for (const text of textsOf(part)) if (text) lines.push(fill(text, values))
    }
  }
  return lines.join('\n')
}
