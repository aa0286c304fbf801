import { Group } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { DownloadButton } from '../../components/download-button.tsx'
import { Select } from '../../components/forms/select/select.tsx'
import { lastMonths } from '../../dates.ts'
import { today } from '../../format.ts'
import { useTexts } from '../../texts/language.tsx'
import { walletTexts } from './texts.ts'

/** Five years: no one asks for a ledger longer than a tax office. */
const MONTHS = 60

/** A month's entries as a file. The month is in the shop's time zone. */
export function Statement() {
  const texts = useTexts(walletTexts)
  const [month, setMonth] = useState(today().slice(0, 7))
  return (
    <Group gap="xs">
      <Select
        aria-label={texts.month}
        w={120}
        allowDeselect={false}
        data={lastMonths(today(), MONTHS)}
        value={month}
        onChange={(chosen) => chosen !== null && setMonth(chosen)}
      />
      <DownloadButton
        label={texts.statement}
        fetchFile={(labels) =>
          api.GET('/api/external/wallet/statement', { params: { query: { month, labels } }, parseAs: 'blob' })
        }
      />
    </Group>
  )
}
