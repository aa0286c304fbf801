import type { Template } from '../templates/editor/draft.ts'

/** What the screens call a template's parameter, by the path of its value in a request; undefined without a label. */
export function paramLabelOf(template: Pick<Template, 'params'> | undefined) {
  return (path: string): string | undefined => {
    const key = /^(?:params|templateData)\.(.+)$/.exec(path)?.[1]
    return template?.params.find((param) => param.key === key)?.label || undefined
  }
}
