import { ActionIcon, Button, Group, Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { WordsField } from '../../../../components/forms/words-field.tsx'
import { useTexts } from '../../../../texts/language.tsx'
import { ListProblems, useEditor, useField } from '../context.tsx'
import { newRatingItem } from '../draft.ts'
import { editorTexts } from '../texts.ts'
import type { BlockProps } from './block-fields.tsx'

/** A scenario for each number of stars, at most one for each. */
export function RatingFields({ block, index }: BlockProps) {
  const texts = useTexts(editorTexts)
  const { form } = useEditor()
  const { items } = block.rating
  const path = `contentBlocks.${index}.rating.items`
  const missing = [5, 4, 3, 2, 1].filter((star) => items.every((item) => item.star !== star))
  return (
    <Stack gap="xs">
      {items.map(({ id, star }, place) => (
        <ItemFields key={id} path={`${path}.${place}`} star={star}>
          {items.length > 1 && (
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={texts.removeStar(star)}
              onClick={() => form.removeListItem(path, place)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          )}
        </ItemFields>
      ))}
      <ListProblems path={`contentBlocks.${index}.rating`} />
      <ListProblems path={path} />
      <Group gap="xs">
        {missing.map((star) => (
          <Button
            key={star}
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} />}
            onClick={() => form.insertListItem(path, newRatingItem(star))}
          >
            {texts.addStar(star)}
          </Button>
        ))}
      </Group>
    </Stack>
  )
}

function ItemFields({ path, star, children }: { path: string; star: number; children: ReactNode }) {
  const texts = useTexts(editorTexts)
  return (
    <Paper withBorder p="xs">
      <Group justify="space-between" mb={4}>
        <Text fw={600} size="sm">
          {texts.ratingStar(star)}
        </Text>
        {children}
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
        <TextInput label={texts.ratingTitle(star)} required {...useField(`${path}.title`)} />
        <TextInput label={texts.ratingQuestion(star)} required {...useField(`${path}.question`)} />
        <WordsField label={texts.ratingAnswers(star)} {...useField(`${path}.answers`, texts.answersHint)} />
        <TextInput label={texts.ratingThanks(star)} {...useField(`${path}.thanks`)} />
        <TextInput
          label={texts.ratingDescription(star)}
          style={{ gridColumn: '1 / -1' }}
          {...useField(`${path}.description`)}
        />
      </SimpleGrid>
    </Paper>
  )
}
