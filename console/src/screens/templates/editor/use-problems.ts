import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import type { Language } from '../../../texts/catalogue.ts'
import { fieldName } from '../../../texts/field-name.ts'
import { useLanguage } from '../../../texts/language.tsx'
import type { TemplateBody } from './draft.ts'

const LINT_AFTER_MS = 400

/** Messages by path, such as `contentBlocks.0.value`. */
export type Problems = { errors: Record<string, string>; warnings: Record<string, string> }
type Found = { path: string; message: string }[]

/**
 * The problems that the service finds in the template, requested when typing pauses. Empty fields are not reported
 * until `isStrict`, because the person may not have reached them yet.
 */
export function useProblems(body: TemplateBody, isStrict: boolean): Problems {
  const [debounced] = useDebouncedValue(JSON.stringify(body), LINT_AFTER_MS)
  const { language } = useLanguage()
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
  const byPath = (found: Found = []) =>
    Object.fromEntries(
      found
        // The top-level objects repeat the problems of their blocks.
        .filter(({ path }) => !/^(voucher|rating)(\.|$)/.test(path))
        .filter(({ path }) => isStrict || isFilled(valueAt(lint.data?.linted, path)))
        .reverse()
        .map(({ path, message }) => [path, named(path, message, language)]),
    )
  return { errors: byPath(lint.data?.errors), warnings: byPath(lint.data?.warnings) }
}

/** The sentence with the field's name on the screen in place of the API's name. */
function named(path: string, message: string, language: Language): string {
  const name = fieldName(path, language) ?? { vi: 'Trường này', en: 'This field' }[language]
  return message.replace(/^"[^"]*"(?= )/, name)
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
