import { ActionIcon, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { WhatsThis } from '../../help/whats-this.tsx'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import type { ArticleValues } from './article-values.ts'
import { newsTexts } from './texts.ts'

type Form = UseFormReturnType<ArticleValues>

function TakeOff({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="red" size="lg" aria-label={label} onClick={onClick}>
      <IconTrash size={16} />
    </ActionIcon>
  )
}

function Add({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button variant="default" size="xs" leftSection={<IconPlus size={14} />} onClick={onClick}>
      {label}
    </Button>
  )
}

/** The article's buttons (E16): the text of each and where it leads. */
export function Buttons({ form }: { form: Form }) {
  const texts = useTexts(newsTexts)
  const { canWrite } = useSession()
  return (
    <Stack align="flex-start">
      <Group gap={6} wrap="nowrap">
        <Text size="sm" c="dimmed">
          {texts.buttonsHint}
        </Text>
        <WhatsThis term="miniApp" of={texts.miniApp} />
      </Group>
      {form.values.cta.map((_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a field shows what the form holds at its place, and holds nothing itself
        <Paper key={place} withBorder p="xs" w="100%">
          <Group wrap="nowrap" align="flex-start" gap="xs">
            <Stack gap="xs" flex={1}>
              <TextInput
                label={texts.buttonName(place + 1)}
                required
                disabled={!canWrite}
                {...form.getInputProps(`cta.${place}.name`)}
              />
              <TextInput
                label={texts.buttonUrl(place + 1)}
                required
                disabled={!canWrite}
                {...form.getInputProps(`cta.${place}.url`)}
              />
            </Stack>
            {canWrite && (
              <TakeOff
                label={texts.takeOff(texts.buttonName(place + 1))}
                onClick={() => form.removeListItem('cta', place)}
              />
            )}
          </Group>
        </Paper>
      ))}
      {canWrite && (
        <Add
          label={texts.addButton}
          onClick={() => form.insertListItem('cta', { name: '', url: 'https://' })}
        />
      )}
    </Stack>
  )
}
