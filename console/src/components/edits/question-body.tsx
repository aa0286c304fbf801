import { Button, Group, Stack, Table, Text } from '@mantine/core'
import type { editTexts } from './texts.ts'

/**
 * A field in which the form and the saved record differ, as a person reads it. `mine` is undefined if the form did not
 * change it.
 */
export type Difference = { label: string; theirs: string; mine: string | undefined }
export type Choice = 'mine' | 'theirs' | 'back'

/** Shows another person's changes beside the values in the form, and the choices. */
export function QuestionBody(props: {
  texts: (typeof editTexts)['vi']
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
