import { Grid, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useRef } from 'react'
import { Card, Loaded, Page } from '../../components/page.tsx'
import { When } from '../../components/values.tsx'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import { CloseShift } from './close-shift.tsx'
import { MoveCash, type RefuseUnrecorded } from './move-cash.tsx'
import { ShiftPayments } from './shift-payments.tsx'
import { type ShiftDetail, shiftQuery } from './shift-queries.ts'
import { CashMovements, Drawer, Takings } from './shift-sums.tsx'
import { ShiftState } from './shifts.tsx'
import { shiftTexts } from './texts.ts'

export function ShiftPage() {
  const texts = useTexts(shiftTexts)
  const { shiftId } = useParams({ strict: false }) as { shiftId: string }
  const shift = useQuery(shiftQuery(shiftId))
  const { data } = shift
  return (
    <Page
      title={data === undefined ? texts.title : texts.shiftOf(data.openedBy?.name ?? texts.nobody)}
      subtitle={data !== undefined && <Times shift={data} />}
    >
      <Loaded query={shift}>{(found) => <Details shift={found} />}</Loaded>
    </Page>
  )
}

function Times({ shift }: { shift: ShiftDetail }) {
  const texts = useTexts(shiftTexts)
  return (
    <Group gap="xs" mt={4}>
      <ShiftState shift={shift} />
      <When at={shift.openedAt} />
      {shift.closedAt !== null && (
        <span>
          – <When at={shift.closedAt} />
          {shift.closedBy !== null && ` · ${texts.closedBy}: ${shift.closedBy.name}`}
        </span>
      )}
    </Group>
  )
}

function Details({ shift }: { shift: ShiftDetail }) {
  const texts = useTexts(shiftTexts)
  const { canWrite } = useSession()
  const refuse = useRef<RefuseUnrecorded>(null)
  const isOpen = shift.closedAt === null
  const mayChange = isOpen && canWrite
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Stack>
          <Card title={texts.byMethod}>
            <Takings shift={shift} />
          </Card>
          <ShiftPayments shiftId={shift._id} />
          {(shift.movements.length > 0 || mayChange) && (
            <Card title={texts.movements}>
              <Stack>
                <CashMovements shift={shift} />
                {mayChange && <MoveCash shiftId={shift._id} refuse={refuse} />}
              </Stack>
            </Card>
          )}
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Stack>
          <Card title={texts.drawer} term="drawer">
            <Drawer shift={shift} />
          </Card>
          {mayChange && (
            <Card title={texts.closeTitle}>
              <CloseShift shift={shift} refuse={refuse} onClosed={() => undefined} />
            </Card>
          )}
        </Stack>
      </Grid.Col>
    </Grid>
  )
}
