declare module 'sanitize-html' {
  type Options = {
    allowedTags?: string[] | false
    allowedAttributes?: Record<string, string[]> | false
    allowedSchemes?: string[]
    nonTextTags?: string[]
    disallowedTagsMode?: 'discard' | 'completelyDiscard' | 'escape' | 'recursiveEscape'
  }

  export default function sanitizeHtml(html: string, options?: Options): string
}
