import { Button, Group, Stack, Text } from '@mantine/core'
import classes from '../facts.module.css'
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
  const cell = { whiteSpace: 'pre-wrap', verticalAlign: 'top' } as const
  return (
    <Stack>
      <Text fw={500}>{who}</Text>
      <table className={classes.facts}>
        <thead>
          <tr>
            <th scope="col">{texts.field}</th>
            <th scope="col">{texts.theirs}</th>
            <th scope="col">{texts.mine}</th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ label, theirs, mine }) => (
            <tr key={label}>
              <th scope="row" style={cell}>
                {label}
              </th>
              <td style={cell}>{theirs}</td>
              <td style={cell}>
                {mine ?? (
                  <Text size="sm" c="dimmed" component="span">
                    {texts.untouched}
                  </Text>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
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
