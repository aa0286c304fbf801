import { Text } from '@mantine/core'
import { formatNumber } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { stockTexts } from './texts.ts'

/** Counted less booked pieces, in words and in the matching colour. */
export function Difference({ pieces }: { pieces: number }) {
  const texts = useTexts(stockTexts)
  const { language } = useLanguage()
  const count = formatNumber(Math.abs(pieces), language)
  return (
    <Text span inherit fw={600} c={pieces === 0 ? 'teal' : pieces < 0 ? 'red' : 'yellow'}>
      {pieces === 0 ? texts.matches : pieces < 0 ? texts.fewer(count) : texts.more(count)}
    </Text>
  )
}
