import { Text } from '@mantine/core'
import { formatVnd } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { shiftTexts } from './texts.ts'

/** Returns a function that says counted cash less expected cash in words. */
export function useDifferenceText(): (vnd: number) => string {
  const texts = useTexts(shiftTexts)
  const { language } = useLanguage()
  return (vnd) => {
    if (vnd === 0) return texts.noDifference
    const sum = formatVnd(Math.abs(vnd), language)
    return vnd < 0 ? texts.short(sum) : texts.over(sum)
  }
}

/** Counted cash less expected cash, in words and in the matching colour. */
export function Difference({ vnd }: { vnd: number }) {
  const text = useDifferenceText()
  return (
    <Text span inherit fw={600} c={vnd === 0 ? 'teal' : vnd < 0 ? 'red' : 'yellow'}>
      {text(vnd)}
    </Text>
  )
}
