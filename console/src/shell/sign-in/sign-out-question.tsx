import { Stack, Text } from '@mantine/core'
import { ask } from '../../components/dialogs/questions.tsx'
import { formatNumber } from '../../format.ts'
import { countOpenSales } from '../../screens/pos/open-sales.ts'
import { countWaiting } from '../../screens/pos/outage/waiting-sales.ts'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { shellTexts } from '../texts.ts'

/**
 * A function that signs out with `leave`, after a question if the counter has sales that would be lost, or sent under
 * the name of whoever signs in next. The button that leaves is called "Sign out" unless `label` names it.
 */
export function useSignOutQuestion(
  as: { label?: string; zIndex?: number } = {},
): (leave: () => Promise<void>) => Promise<void> {
  const texts = useTexts(shellTexts)
  const { confirmTitle, stay } = useTexts(common)
  const { language } = useLanguage()
  return async (leave) => {
    const waiting = await countWaiting().catch(() => 0)
    const { unsure, unsold } = countOpenSales()
    const reasons = [
      { count: unsure, text: texts.salesUnsure },
      { count: unsold, text: texts.salesUnsold },
      { count: waiting, text: texts.salesWait },
    ].filter(({ count }) => count > 0)
    if (reasons.length === 0) return leave()
    ask({
      ...(as.zIndex === undefined ? {} : { zIndex: as.zIndex }),
      title: confirmTitle,
      children: (
        <Stack gap="xs">
          {reasons.map(({ count, text }) => (
            <Text key={text('')} size="sm">
              {text(formatNumber(count, language))}
            </Text>
          ))}
        </Stack>
      ),
      labels: { confirm: as.label ?? texts.signOut, cancel: stay },
      confirmProps: { color: 'red' },
      onConfirm: () => void leave(),
    })
  }
}
