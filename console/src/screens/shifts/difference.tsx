import { Text } from '@mantine/core'
import { formatVnd } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { shiftTexts } from './texts.ts'

/** Counted cash less expected cash, in words and in the matching colour. */
export function Difference({ vnd }: { vnd: number }) {
  const texts = useTexts(shiftTexts)
  const { language } = useLanguage()
  const sum = formatVnd(Math.abs(vnd), language)
  return (
    <Text span inherit fw={600} c={vnd === 0 ? 'teal' : vnd < 0 ? 'red' : 'yellow'}>
      {vnd === 0 ? texts.noDifference : vnd < 0 ? texts.short(sum) : texts.over(sum)}
    </Text>
  )
}
