import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../texts/language.tsx'
import { hasShiftsQuery, openShiftQuery } from './shift-queries.ts'
import { shiftTexts } from './texts.ts'

/** A note at the counter of a shop that works in shifts, if the cashier has opened none. Selling remains possible. */
export function NoShift() {
  const texts = useTexts(shiftTexts)
  const mine = useQuery(openShiftQuery)
  const hasShifts = useQuery(hasShiftsQuery)
  if (mine.data !== null || hasShifts.data !== true) return null
  return (
    <Text size="sm" c="orange" role="status" className="no-print">
      {texts.noShift}
    </Text>
  )
}
