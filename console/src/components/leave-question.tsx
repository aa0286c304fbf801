import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useBlocker } from '@tanstack/react-router'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'

/** Asks before a page is left on which something is not saved. */
export function useLeaveQuestion(isDirty: boolean): void {
  const texts = useTexts(common)
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: isDirty,
    shouldBlockFn: () =>
      new Promise<boolean>((resolve) => {
        modals.openConfirmModal({
          title: texts.confirmTitle,
          children: <Text size="sm">{texts.leaveQuestion}</Text>,
          labels: { confirm: texts.leave, cancel: texts.cancel },
          confirmProps: { color: 'red' },
          onConfirm: () => resolve(false),
          onClose: () => resolve(true),
        })
      }),
  })
}
