import { Fieldset, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTexts } from '../../texts/language.tsx'
import type { Template } from '../templates/editor/draft.ts'
import { lengthOf } from '../templates/editor/params.ts'
import { messageTexts } from './texts.ts'

export type Outgoing = {
  channel: 'phone' | 'uid'
  phone: string
  uid: string
  isSample: boolean
  params: Record<string, string>
}

const passedOf = (template: Template) => template.params.filter(({ isFixed }) => isFixed !== true)
/** A test by phone takes the sample values for empty fields. */
const isRequired = ({ channel, isSample }: Outgoing) => channel !== 'phone' || !isSample

/** All problems of the values by their fields. The service names only the first one. */
export function valueProblems(
  template: Template,
  values: Outgoing,
  texts: { valueNeeded: string; tooLong: (limit: number) => string },
): Record<string, string> {
  return Object.fromEntries(
    passedOf(template).flatMap(({ key, maxLength = Number.POSITIVE_INFINITY }) => {
      const length = lengthOf(values.params[key] ?? '')
      if (length > maxLength) return [[`params.${key}`, texts.tooLong(maxLength)]]
      return length === 0 && isRequired(values) ? [[`params.${key}`, texts.valueNeeded]] : []
    }),
  )
}

/** A field for each parameter whose value is given when sending. */
export function ParamInputs({ template, form }: { template: Template; form: UseFormReturnType<Outgoing> }) {
  const texts = useTexts(messageTexts)
  const passed = passedOf(template)
  if (passed.length === 0) return null
  return (
    <Fieldset legend={texts.params}>
      <Stack gap="xs">
        {passed.map(({ key, label, sampleValue, maxLength }) => (
          <TextInput
            key={key}
            label={label}
            required={isRequired(form.values)}
            placeholder={sampleValue}
            description={maxLength === undefined ? undefined : texts.upTo(maxLength)}
            {...form.getInputProps(`params.${key}`)}
            value={form.values.params[key] ?? ''}
          />
        ))}
      </Stack>
    </Fieldset>
  )
}
