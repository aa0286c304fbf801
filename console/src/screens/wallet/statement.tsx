import { Button, Group, TextInput } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useDownload } from '../../components/download.ts'
import { today } from '../../format.ts'
import { useTexts } from '../../texts/language.tsx'
import { walletTexts } from './texts.ts'

/** A month's entries as a file, by the days of the shop's zone. */
export function Statement() {
  const texts = useTexts(walletTexts)
  const [month, setMonth] = useState(today().slice(0, 7))
  const download = useDownload(() =>
    api.GET('/api/external/wallet/statement', { params: { query: { month } }, parseAs: 'blob' }),
  )
  return (
    <Group gap="xs">
      <TextInput
        type="month"
        aria-label={texts.month}
        value={month}
        max={today().slice(0, 7)}
        onChange={(event) => setMonth(event.currentTarget.value)}
      />
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        disabled={month === ''}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        {texts.statement}
      </Button>
    </Group>
  )
}
