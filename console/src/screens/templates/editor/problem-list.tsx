import { Anchor, List, Stack, Text } from '@mantine/core'
import { Card } from '../../../components/page.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { focusField } from './focus-field.ts'
import { editorTexts } from './texts.ts'
import type { Problems } from './use-problems.ts'

/** All problems of the fields in one list, and what is still missing. A click focuses the field. */
export function ProblemList({ problems }: { problems: Problems }) {
  const texts = useTexts(editorTexts)
  const errors = Object.entries(problems.errors)
  const missing = Object.entries(problems.missing)
  const warnings = Object.entries(problems.warnings)
  return (
    <Card title={texts.check} term="review">
      <Stack gap="xs" aria-live="polite">
        {problems.isFine && <Text size="sm">{texts.fine}</Text>}
        <Problem title={texts.errorsCount(errors.length)} found={errors} />
        <Problem title={texts.missingCount(missing.length)} found={missing} />
        <Problem title={texts.warningsCount(warnings.length)} found={warnings} />
      </Stack>
    </Card>
  )
}

function Problem({ title, found }: { title: string; found: [string, string][] }) {
  if (found.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <List size="sm">
        {found.map(([path, message]) => (
          <List.Item key={path}>
            <Anchor
              component="button"
              type="button"
              ta="left"
              size="sm"
              style={{ verticalAlign: 'top' }}
              onClick={() => focusField(path)}
            >
              {message}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </div>
  )
}
