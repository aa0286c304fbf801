import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCashRegister } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FormDialog } from '../../components/forms/leave-question.tsx'
import { Loaded } from '../../components/page.tsx'
import { useTexts } from '../../texts/language.tsx'
import { CloseShift } from './close-shift.tsx'
import { MoveCash } from './move-cash.tsx'
import { OpenShift } from './open-shift.tsx'
import { openShiftQuery, shiftQuery } from './shift-queries.ts'
import { CashMovements, Drawer, Takings } from './shift-sums.tsx'
import { shiftTexts } from './texts.ts'

/** The cashier's own shift at the counter: opened, looked at, paid in and out, closed. */
export function ShiftButton() {
  const texts = useTexts(shiftTexts)
  const [isOpen, dialog] = useDisclosure()
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
      <FormDialog opened={isOpen} onClose={dialog.close} title={texts.title}>
        {isOpen && <OwnShift onClosed={dialog.close} />}
      </FormDialog>
    </>
  )
}

function OwnShift({ onClosed }: { onClosed: () => void }) {
  const texts = useTexts(shiftTexts)
  const mine = useQuery(openShiftQuery)
  return (
    <Stack>
      <Loaded query={mine}>
        {(shift) => (shift === null ? <OpenShift /> : <Open id={shift._id} onClosed={onClosed} />)}
      </Loaded>
      <Anchor component={Link} to="/shifts" size="sm">
        {texts.all}
      </Anchor>
    </Stack>
  )
}

function Open({ id, onClosed }: { id: string; onClosed: () => void }) {
  const texts = useTexts(shiftTexts)
  return (
    <Loaded query={useQuery(shiftQuery(id))}>
      {(shift) => (
        <Stack gap="lg">
          <Part title={texts.byMethod}>
            <Takings shift={shift} />
          </Part>
          <Part title={texts.drawer}>
            <Drawer shift={shift} />
          </Part>
          <Part title={texts.movements}>
            <CashMovements shift={shift} />
            <MoveCash shiftId={id} />
          </Part>
          <Part title={texts.closeTitle}>
            <CloseShift shift={shift} onClosed={onClosed} />
          </Part>
        </Stack>
      )}
    </Loaded>
  )
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Text fw={600} size="sm">
        {title}
      </Text>
      {children}
    </Stack>
  )
}
