import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Money, When } from '../../components/values.tsx'
import { formatVnd } from '../../format.ts'
import { WhatsThis } from '../../help/whats-this.tsx'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { useMethodName } from '../orders/order-values.tsx'
import { Difference } from './difference.tsx'
import { cashTaken, type ShiftDetail } from './shift-queries.ts'
import { shiftTexts } from './texts.ts'

/** The payments of a shift by method. */
export function Takings({ shift }: { shift: ShiftDetail }) {
  const texts = useTexts(shiftTexts)
  const { language } = useLanguage()
  const methodName = useMethodName()
  if (shift.methods.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {texts.noPayments}
      </Text>
    )
  return (
    <Stack gap={6}>
      {shift.methods.map(({ method, taken, refunded }) => (
        <Row key={method} label={methodName(method)}>
          <Money vnd={taken - refunded} />
          {refunded > 0 && (
            <Text size="xs" c="dimmed" ta="end">
              {texts.refunded(formatVnd(refunded, language))}
            </Text>
          )}
        </Row>
      ))}
    </Stack>
  )
}

/** What the expected cash in the drawer consists of; for a closed shift also the count. */
export function Drawer({ shift }: { shift: ShiftDetail }) {
  const texts = useTexts(shiftTexts)
  return (
    <Stack gap={6}>
      <Row label={texts.openingCash}>
        <Money vnd={shift.openingCash} />
      </Row>
      <Row label={texts.cashTaken}>
        <Money vnd={cashTaken(shift)} />
      </Row>
      {shift.cashIn > 0 && (
        <Row label={texts.cashIn}>
          <Money vnd={shift.cashIn} />
        </Row>
      )}
      {shift.cashOut > 0 && (
        <Row label={texts.cashOut}>
          <Money vnd={-shift.cashOut} />
        </Row>
      )}
      <Row label={texts.expectedCash} isStrong>
        <Money vnd={shift.expectedCash} />
      </Row>
      {shift.countedCash !== null && (
        <Row label={texts.countedCash}>
          <Money vnd={shift.countedCash} />
        </Row>
      )}
      {shift.difference !== null && (
        <Row
          label={
            <Group gap={6}>
              {texts.difference}
              <WhatsThis term="cashDifference" of={texts.difference} />
            </Group>
          }
        >
          <Difference vnd={shift.difference} />
        </Row>
      )}
      {shift.closingNote !== '' && <Text size="sm">{shift.closingNote}</Text>}
    </Stack>
  )
}

/** Cash put into and taken out of the drawer, other than by sales. */
export function CashMovements({ shift }: { shift: ShiftDetail }) {
  return (
    <Stack gap={8}>
      {shift.movements.map(({ _id, amount, reason, recordedBy, createdAt }) => (
        <Row
          key={_id}
          label={
            <>
              <Text inherit>{reason}</Text>
              <Text size="xs" c="dimmed">
                <When at={createdAt} />
                {recordedBy !== null && ` · ${recordedBy.name}`}
              </Text>
            </>
          }
        >
          <Money vnd={amount} />
        </Row>
      ))}
    </Stack>
  )
}

function Row(props: { label: ReactNode; children: ReactNode; isStrong?: boolean }) {
  return (
    <Group justify="space-between" align="start" wrap="nowrap" fw={props.isStrong ? 600 : undefined}>
      <div>{props.label}</div>
      <div style={{ textAlign: 'end' }}>{props.children}</div>
    </Group>
  )
}
