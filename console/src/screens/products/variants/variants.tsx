import { ActionIcon, Alert, Button, Group as Row, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { lazy, memo, Suspense, useState } from 'react'
import { WordsField } from '../../../components/forms/words-field.tsx'
import { Card } from '../../../components/page.tsx'
import { roomOfSheet } from '../../../components/sheet/sheet.tsx'
import { useSession } from '../../../shell/session.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { problemAt } from '../product/problem-at.ts'
import { productTexts } from '../texts.ts'
import {
  countRows,
  type Group,
  MAX_SKUS,
  type Made,
  newId,
  optionsFrom,
  rowsIn,
  type SkuFields,
  withFields,
} from './variant-rows.ts'

// Fetched for the products that have variants.
const SkuSheet = lazy(async () => ({ default: (await import('./sku-sheet.tsx')).SkuSheet }))

/** The groups of options, and the sheet with the SKUs of their combinations. */
export const Variants = memo(function Variants(props: {
  made: Made
  images: string[]
  /** The price of a combination until somebody sets another. */
  priceVnd: number
  problems: Record<string, unknown>
  onChange: (change: (before: Made) => Made) => void
}) {
  const texts = useTexts(productTexts)
  const { canWrite } = useSession()
  const { made, priceVnd, onChange } = props
  const { groups } = made
  const [added, setAdded] = useState<string>()
  const rows = rowsIn(made, priceVnd)
  const problem = (key: string) => problemAt(props.problems, key)
  const setGroup = (id: string, change: Partial<Group>) =>
    onChange((before) => ({
      ...before,
      groups: before.groups.map((group) => (group.id === id ? { ...group, ...change } : group)),
    }))
  const setRows = (changes: Map<string, Partial<SkuFields>>) =>
    onChange((before) => withFields(before, changes, priceVnd))

  return (
    <Card title={texts.variants} term="variant">
      <Stack>
        <Text size="sm" c="dimmed">
          {groups.length === 0 ? `${texts.single} ${texts.variantsHint}` : texts.variantsHint}
        </Text>
        {groups.map((group, at) => (
          <Row
            key={group.id}
            align="flex-start"
            gap="sm"
            // Enter ends a word, which the field handles itself; it must not submit the form.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          >
            <TextInput
              label={texts.group}
              placeholder={texts.groupHint}
              w={180}
              autoFocus={group.id === added}
              disabled={!canWrite}
              value={group.name}
              error={problem(`variants.${at}.name`)}
              onChange={(event) => setGroup(group.id, { name: event.currentTarget.value })}
            />
            <WordsField
              label={texts.options}
              placeholder={texts.optionsHint}
              flex="1 1 240px"
              disabled={!canWrite}
              value={group.options.map(({ value }) => value)}
              error={problem(`variants.${at}.options`)}
              onChange={(words) => setGroup(group.id, { options: optionsFrom(words, group.options) })}
            />
            {canWrite && (
              <ActionIcon
                size={36}
                // Beside the fields, which are below their labels and may be above an error.
                mt={24}
                variant="subtle"
                color="gray"
                aria-label={texts.removeGroup(group.name)}
                onClick={() =>
                  onChange((before) => ({
                    ...before,
                    groups: before.groups.filter(({ id }) => id !== group.id),
                  }))
                }
              >
                <IconX size={16} />
              </ActionIcon>
            )}
          </Row>
        ))}
        {canWrite && (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => {
              const id = newId()
              setAdded(id)
              onChange((before) => ({ ...before, groups: [...before.groups, { id, name: '', options: [] }] }))
            }}
            style={{ alignSelf: 'flex-start' }}
          >
            {texts.addGroup}
          </Button>
        )}
        {countRows(groups) > MAX_SKUS && <Alert color="red">{texts.tooMany(countRows(groups))}</Alert>}
        {rows.length > 0 && (
          <Suspense fallback={roomOfSheet(rows.length)}>
            <SkuSheet
              groups={groups}
              rows={rows}
              images={props.images}
              disabled={!canWrite}
              problem={problem}
              onChange={setRows}
            />
          </Suspense>
        )}
      </Stack>
    </Card>
  )
})
