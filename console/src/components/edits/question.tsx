import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { LastChange } from '../../api/problem.ts'
import { formatTime } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { editTexts } from './texts.ts'

/** A field in which the form and the saved record differ, as a person reads it. `mine` undefined: not changed in the form. */
export type Difference = { label: string; theirs: string; mine: string | undefined }
export type Choice = 'mine' | 'theirs' | 'back'

/** Asks what to do about another's change; closing the dialog goes back to the form. */
export function useEditQuestion(): (change: LastChange, differences: Difference[]) => Promise<Choice> {
  const texts = useTexts(editTexts)
  const { language } = useLanguage()
  return (change, differences) =>
    new Promise((resolve) => {
      const id = modals.open({
        title: texts.title,
        size: 'lg',
        onClose: () => resolve('back'),
        // Not by the dialog's own, which a form's dialog beneath would hear too.
        closeOnEscape: false,
        onKeyDown: (event) => event.key === 'Escape' && modals.close(id),
        children: (
          <Question
            texts={texts}
            who={sentenceOf(change, texts, formatTime(change.at, language))}
            differences={differences}
            onChoice={(choice) => {
              resolve(choice)
              modals.close(id)
            }}
          />
        ),
      })
    })
}

type Texts = (typeof editTexts)['vi']

function sentenceOf({ by }: LastChange, texts: Texts, at: string): string {
  if (by === null) return texts.byUnknown(at)
  return by.type === 'member' ? texts.byPerson(by.name, at) : texts.byKey(by.name, at)
}

function Question(props: {
  texts: Texts
  who: string
  differences: Difference[]
  onChoice: (choice: Choice) => void
}) {
  const { texts, who, differences, onChoice } = props
  const cell = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', verticalAlign: 'top' } as const
  return (
    <Stack>
      <Text fw={500}>{who}</Text>
      <Table layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{texts.field}</Table.Th>
            <Table.Th scope="col">{texts.theirs}</Table.Th>
            <Table.Th scope="col">{texts.mine}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {differences.map(({ label, theirs, mine }) => (
            <Table.Tr key={label}>
              <Table.Th scope="row" style={cell}>
                {label}
              </Table.Th>
              <Table.Td style={cell}>{theirs}</Table.Td>
              <Table.Td style={cell}>
                {mine ?? (
                  <Text size="sm" c="dimmed" component="span">
                    {texts.untouched}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" c="dimmed">
        {texts.hint}
      </Text>
      <Group justify="flex-end" gap="sm">
        <Button variant="subtle" onClick={() => onChoice('back')}>
          {texts.back}
        </Button>
        <Button variant="default" onClick={() => onChoice('theirs')}>
          {texts.takeTheirs}
        </Button>
        <Button onClick={() => onChoice('mine')}>{texts.keepMine}</Button>
      </Group>
    </Stack>
  )
}
