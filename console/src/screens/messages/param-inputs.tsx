import { Fieldset, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTexts } from '../../texts/language.tsx'
import type { Template } from '../templates/editor/draft.ts'
import { messageTexts } from './texts.ts'

export type Outgoing = {
  channel: 'phone' | 'uid'
  phone: string
  uid: string
  isSample: boolean
  params: Record<string, string>
}

/** A field for each parameter whose value is given when sending. */
export function ParamInputs({ template, form }: { template: Template; form: UseFormReturnType<Outgoing> }) {
  const texts = useTexts(messageTexts)
  const passed = template.params.filter(({ isFixed }) => isFixed !== true)
  if (passed.length === 0) return null
  return (
    <Fieldset legend={texts.params}>
      <Stack gap="xs">
        {passed.map(({ key, label, sampleValue, maxLength }) => (
          <TextInput
            key={key}
            label={label}
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
