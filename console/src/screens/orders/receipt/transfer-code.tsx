import { Group, Stack, Text } from '@mantine/core'
import type { Profile } from '../../../api/session.ts'
import { bankName } from '../../../banks.ts'
import { QrCode } from '../../../components/qr-code.tsx'
import { Money } from '../../../components/values.tsx'
import { useSession } from '../../../shell/session.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { vietQrText } from '../../../vietqr.ts'
import { orderTexts } from '../texts.ts'

/**
 * The shop's bank account as a VietQR code for a transfer, and in words; hidden if the shop has no account. `bank`: an account
 * in place of the saved one.
 */
export function TransferCode(props: {
  vnd: number
  reference: string
  size?: number | string
  bank?: Profile['bank'] | undefined
}) {
  const texts = useTexts(orderTexts)
  const saved = useSession().shop?.profile.bank ?? null
  const bank = props.bank === undefined ? saved : props.bank
  if (bank === null) return null
  return (
    <Group gap="sm" wrap="nowrap" align="center">
      <QrCode
        text={vietQrText(bank, props.vnd, props.reference)}
        label={texts.vietQr}
        size={props.size ?? 148}
      />
      <Stack gap={2} miw={0}>
        <Text size="sm" fw={600}>
          {bankName(bank.bin)}
        </Text>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {bank.number}
        </Text>
        <Text size="sm">{bank.holder}</Text>
        <Text fw={600}>
          <Money vnd={props.vnd} />
        </Text>
        <Text size="sm">{props.reference}</Text>
      </Stack>
    </Group>
  )
}
