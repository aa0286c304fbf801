import { Alert, Stack } from '@mantine/core'
import { ConfirmButton } from '../../../components/actions.tsx'
import { catalogue } from '../../../texts/catalogue.ts'
import { useTexts } from '../../../texts/language.tsx'

const unknownTexts = catalogue(
  {
    title: 'Chưa rõ đơn đã được ghi hay chưa',
    hint: 'Hãy bấm Bán lần nữa. Đơn không bị ghi hai lần.',
    giveUp: 'Bỏ đơn này',
    giveUpQuestion: 'Đơn có thể đã được ghi. Hãy xem trong danh sách đơn hàng trước khi bán lại.',
  },
  {
    title: 'The order may or may not have been placed',
    hint: 'Press Sell again. The order will not be placed twice.',
    giveUp: 'Discard this sale',
    giveUpQuestion: 'It may have been placed. Check the order list before selling again.',
  },
)

/** Says of a sale that its outcome is unknown, and what to do. */
export function UnknownSale({ onGiveUp }: { onGiveUp: () => void }) {
  const texts = useTexts(unknownTexts)
  return (
    <Alert color="yellow" title={texts.title} role="alert">
      <Stack gap="xs" align="flex-start">
        {texts.hint}
        <ConfirmButton size="xs" question={texts.giveUpQuestion} confirm={texts.giveUp} onConfirm={onGiveUp}>
          {texts.giveUp}
        </ConfirmButton>
      </Stack>
    </Alert>
  )
}
