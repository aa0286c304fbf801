import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { fieldName } from '../../../texts/field-name.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import type { TemplateBody } from './draft.ts'
import { editorTexts } from './texts.ts'

const LINT_AFTER_MS = 400
const BUTTON_TARGET = /^buttons\.\d+\.value$/
/** Fields that take a picture as a file, which the service's own sentence does not know. */
const PICTURE = /^(logoLight|logoDark|images\.\d+)$/

/**
 * Messages by path, such as `contentBlocks.0.value`. `missing` has the fields that are still empty and not yet errors.
 * `isFine`: the service has checked the template and found nothing.
 */
export type Problems = Record<'errors' | 'missing' | 'warnings', Record<string, string>> & {
  isFine: boolean
}
type Found = { path: string; message: string }[]

/**
 * The problems that the service finds in the template, requested when typing pauses. Empty fields are missing, and errors
 * only if `isStrict`, because the person may not have reached them yet. `used`: the keys of the parameters in its texts.
 */
export function useProblems(body: TemplateBody, used: string[], isStrict: boolean): Problems {
  const [debounced] = useDebouncedValue(JSON.stringify(body), LINT_AFTER_MS)
  const { language } = useLanguage()
  const texts = useTexts(editorTexts)
  const lint = useQuery({
    queryKey: ['lint', debounced, language],
    placeholderData: keepPreviousData,
    gcTime: 0,
    queryFn: async () => {
      const linted = JSON.parse(debounced) as TemplateBody
      const { data } = await dataOf(api.POST('/api/external/notify-template/lint', { body: linted }))
      return { linted, ...data }
    },
  })
  const isEmpty = (path: string) => !isFilled(valueAt(lint.data?.linted, path))
  const paramOf = (path: string) => lint.data?.linted.params[Number(/^params\.(\d+)\./.exec(path)?.[1])]?.key
  /** What the screen calls a field. It names parameters by their keys. */
  const nameOf = (path: string, key = '') => {
    const names: Record<string, string> = { name: texts.name, title: texts.title, note: texts.note }
    const ofParam: Record<string, string> = {
      label: texts.paramLabel(key),
      techSetting: texts.paramType(key),
      sampleValue: texts.paramSample(key),
      rowType: texts.paramColour(key),
    }
    const own = key === '' ? names[path] : ofParam[path.replace(/.*\./, '')]
    return own ?? fieldName(path, language) ?? texts.thisField
  }
  const said = (path: string, message: string) => {
    if (isEmpty(path) && path === 'images') return texts.noImages
    const key = paramOf(path)
    if (key !== undefined && !used.includes(key)) return texts.dropParam(key)
    const name = nameOf(path, key)
    if (isEmpty(path) && key !== undefined && path.endsWith('.techSetting')) return texts.chooseType(name)
    if (isEmpty(path) && PICTURE.test(path)) return texts.noPicture(name)
    // The service does not name a field whose text is empty, and names the kind of a button by its number.
    if (isEmpty(path) && (!message.startsWith('"') || BUTTON_TARGET.test(path))) return texts.fillIn(name)
    // The field's name on the screen instead of the API's name.
    return message.replace(/^"[^"]*"(?= )/, name)
  }
  const byPath = (found: Found = [], isShown: (path: string) => boolean) => {
    const messages: Record<string, string> = {}
    for (const { path, message } of found) {
      // The top-level objects repeat the problems of their blocks.
      if (!/^(voucher|rating)(\.|$)/.test(path) && isShown(path)) messages[path] ??= said(path, message)
    }
    return messages
  }
  const { errors, warnings } = lint.data ?? {}
  return {
    errors: byPath(errors, (path) => isStrict || !isEmpty(path)),
    missing: byPath(errors, (path) => !isStrict && isEmpty(path)),
    warnings: byPath(warnings, (path) => isStrict || !isEmpty(path)),
    isFine: errors?.length === 0 && warnings?.length === 0,
  }
}

function valueAt(value: unknown, path: string): unknown {
  if (path === '') return value
  return path
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], value)
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== ''
}
