import { Button, Group, Stack, Text } from '@mantine/core'
import type { ComponentProps } from 'react'
import { WholeNumberInput } from '../../../components/forms/whole-number-input.tsx'
import { formatNumber } from '../../../format.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import type { Returns } from '../order-queries.ts'
import { returnTexts } from './texts.ts'

/** The lines of an order, each with a field for how many pieces of it come back. `fieldOf` has the field of a line by its id. */
export function ReturnLines(props: {
  lines: Returns['lines']
  fieldOf: (id: string) => ComponentProps<typeof WholeNumberInput>
  onAll: () => void
}) {
  const texts = useTexts(returnTexts)
  const { language } = useLanguage()
  const { lines, fieldOf, onAll } = props
  const first = lines.find(({ quantityLeft }) => quantityLeft > 0)
  const count = (pieces: number) => formatNumber(pieces, language)
  return (
    <Stack gap="xs" component="section" aria-label={texts.goods}>
      <Group justify="flex-end">
        <Button size="xs" variant="default" onClick={onAll}>
          {texts.all}
        </Button>
      </Group>
      {lines.map((line) => (
        <Group key={line.orderItemId} justify="space-between" align="flex-start" wrap="nowrap">
          <div>
            <Text>{line.name}</Text>
            <Text size="xs" c="dimmed">
              {line.quantityLeft === 0
                ? texts.noneLeft(count(line.quantity))
                : texts.soldAndLeft(count(line.quantity), count(line.quantityLeft))}
            </Text>
          </div>
          {line.quantityLeft > 0 && (
            <WholeNumberInput
              {...fieldOf(line.orderItemId)}
              aria-label={texts.quantityOf(line.name)}
              data-autofocus={line === first || undefined}
              w={120}
              flex="none"
              onFocus={(event) => event.currentTarget.select()}
            />
          )}
        </Group>
      ))}
    </Stack>
  )
}
