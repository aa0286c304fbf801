import { ActionIcon, Checkbox, Code, Group, Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { Badge } from '../../../../components/badge.tsx'
import { Select } from '../../../../components/forms/select/select.tsx'
import { Card } from '../../../../components/page.tsx'
import { useTexts } from '../../../../texts/language.tsx'
import { type DraftForm, ListProblems, useEditor, useField } from '../context.tsx'
import { type Draft, type Param, usedKeys } from '../draft.ts'
import { guessParam, lengthOf, TECH_LIMITS, TECH_SETTINGS } from '../params.ts'
import { editorTexts } from '../texts.ts'
import { ColourSelect } from './block-fields.tsx'

/** The parameters in the texts. Typing one in a text declares it. */
export function ParamFields() {
  const texts = useTexts(editorTexts)
  const { form } = useEditor()
  useDeclaredByTyping(form)
  const used = usedKeys(form.values)
  return (
    <Card title={texts.params} term="param">
      <Stack>
        {form.values.params.length === 0 && (
          <Text size="sm" c="dimmed">
            {texts.noParams}
          </Text>
        )}
        {form.values.params.map((param, index) => (
          <OneParam key={param.key} param={param} index={index} isUsed={used.includes(param.key)} />
        ))}
        <ListProblems path="params" />
      </Stack>
    </Card>
  )
}

/**
 * Keeps the list of parameters consistent with the texts. A new name is added with suggested values. An unused one is
 * removed unless it was filled in, so that retyping a name loses nothing.
 */
function useDeclaredByTyping(form: DraftForm): void {
  const proposed = useRef(new Map<string, Param>())
  const used = usedKeys(form.values)
  const { params } = form.values
  const isUntouched = (param: Param) => {
    const own = proposed.current.get(param.key)
    return own !== undefined && JSON.stringify(own) === JSON.stringify(param)
  }
  const kept = params.filter((param) => used.includes(param.key) || !isUntouched(param))
  const added = used.filter((key) => params.every((param) => param.key !== key))
  const isStale = kept.length < params.length || added.length > 0
  useEffect(() => {
    if (!isStale) return
    const declared = added.map((key): Param => ({ key, ...guessParam(key), rowType: 0, isFixed: false }))
    for (const param of declared) proposed.current.set(param.key, param)
    form.setFieldValue('params', [...kept, ...declared])
  })
}

function OneParam({ param, index, isUsed }: { param: Param; index: number; isUsed: boolean }) {
  const texts = useTexts(editorTexts)
  const { form } = useEditor()
  const { key } = param
  const path = `params.${index}`
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" mb={4}>
        <Code>{`<${key}>`}</Code>
        {!isUsed && (
          <Group gap={4}>
            <Badge tone="quiet">{texts.unused}</Badge>
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={texts.removeParam(key)}
              onClick={() =>
                form.setFieldValue('params', (all: Draft['params']) => all.filter((one) => one.key !== key))
              }
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        )}
      </Group>
      <ListProblems path={`${path}.key`} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
        <TextInput label={texts.paramLabel(key)} required {...useField(`${path}.label`)} />
        <Select
          label={texts.paramType(key)}
          required
          searchable
          allowDeselect={false}
          data={TECH_SETTINGS.map((techSetting) => ({
            value: techSetting,
            label: `${texts.techSettings[techSetting]} – ${texts.upTo(TECH_LIMITS[techSetting])}`,
          }))}
          {...useField(`${path}.techSetting`, texts.paramTypeHint)}
          value={param.techSetting === '' ? null : param.techSetting}
        />
        <SampleField param={param} path={path} />
        <Stack gap={6} justify="flex-end">
          <ColourSelect label={texts.paramColour(key)} path={`${path}.rowType`} />
          <Checkbox
            label={texts.paramFixed(key)}
            {...form.getInputProps(`${path}.isFixed`, { type: 'checkbox' })}
          />
        </Stack>
      </SimpleGrid>
    </Paper>
  )
}

/** A sample may be as long as a value; the service checks its length only when a message is sent. */
function SampleField({ param, path }: { param: Param; path: string }) {
  const texts = useTexts(editorTexts)
  const limit = param.techSetting === '' ? undefined : TECH_LIMITS[param.techSetting]
  const length = lengthOf(param.sampleValue)
  const field = useField(`${path}.sampleValue`, limit === undefined ? undefined : texts.limit(length, limit))
  const isTooLong = limit !== undefined && length > limit
  return (
    <TextInput
      label={texts.paramSample(param.key)}
      {...field}
      error={isTooLong ? texts.tooLong(limit) : field.error}
    />
  )
}
