import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCashRegister } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { FormDialog } from '../../components/forms/leave-question.tsx'
import { Waiting } from '../../components/page.tsx'
import { useTexts } from '../../texts/language.tsx'
import { shiftTexts } from './texts.ts'

const OwnShift = lazy(async () => ({ default: (await import('./own-shift.tsx')).OwnShift }))

/** The cashier's own shift at the counter: opens it, shows it, records cash in and out, and closes it. `onLeft`: its dialog was closed, also because the shift was opened or closed in it. */
export function ShiftButton({ onLeft }: { onLeft: () => void }) {
  const texts = useTexts(shiftTexts)
  const [isOpen, dialog] = useDisclosure()
  const close = () => {
    dialog.close()
    onLeft()
  }
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconCashRegister size={16} aria-hidden />}
        onClick={dialog.open}
      >
        {texts.title}
      </Button>
      <FormDialog
        opened={isOpen}
        onClose={close}
        title={texts.title}
        // As in the dialog of a tile: a scan may follow immediately.
        returnFocus={false}
        transitionProps={{ duration: 0 }}
      >
        {isOpen && (
          <Suspense fallback={<Waiting />}>
            <OwnShift onDone={close} />
          </Suspense>
        )}
      </FormDialog>
    </>
  )
}
