import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { Loaded } from '../../components/page.tsx'
import { useTexts } from '../../texts/language.tsx'
import { CloseShift } from './close-shift.tsx'
import { MoveCash, type RefuseUnrecorded } from './move-cash.tsx'
import { OpenShift } from './open-shift.tsx'
import { openShiftQuery, shiftQuery } from './shift-queries.ts'
import { CashMovements, Drawer, Takings } from './shift-sums.tsx'
import { shiftTexts } from './texts.ts'

/** The content of the dialog for the cashier's own shift. `onDone`: the shift was opened or closed. */
export function OwnShift({ onDone }: { onDone: () => void }) {
  const texts = useTexts(shiftTexts)
  const mine = useQuery(openShiftQuery)
  return (
    <Stack>
      <Loaded query={mine}>
        {(shift) =>
          shift === null ? <OpenShift onOpened={onDone} /> : <Open id={shift._id} onClosed={onDone} />
        }
      </Loaded>
      <Anchor component={Link} to="/shifts" size="sm">
        {texts.all}
      </Anchor>
    </Stack>
  )
}

function Open({ id, onClosed }: { id: string; onClosed: () => void }) {
  const texts = useTexts(shiftTexts)
  const refuse = useRef<RefuseUnrecorded>(null)
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
            <MoveCash shiftId={id} refuse={refuse} />
          </Part>
          <Part title={texts.closeTitle}>
            <CloseShift shift={shift} refuse={refuse} onClosed={onClosed} />
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
