import { Button } from '@mantine/core'
import { IconDownload, IconSend } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../../../api/client.ts'
import type { Customer } from '../../../api/rows.ts'
import { useDownload } from '../../../components/download.ts'
import { bulkTexts } from '../../../components/lists/bulk/bulk-texts.ts'
import type { Selection } from '../../../components/lists/bulk/selection.ts'
import { useSession } from '../../../shell/session.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { customerTexts } from '../texts.ts'

const icon = { size: 16, 'aria-hidden': true }

/** The actions for the selected customers: send them messages, export. */
export function useCustomerActions(selection: Selection<Customer>): ReactNode {
  const texts = useTexts(customerTexts)
  const { exportSelected } = useTexts(bulkTexts)
  const { canWrite } = useSession()
  const ids = selection.rows.map(({ _id }) => _id).join()
  const exporting = useDownload(() =>
    api.GET('/api/external/v1/customers/export', { params: { query: { ids } }, parseAs: 'blob' }),
  )
  return (
    <>
      {canWrite && (
        <Button
          component={Link}
          to="/messages/batches/new"
          search={{ customers: ids } as never}
          size="xs"
          leftSection={<IconSend {...icon} />}
        >
          {texts.send}
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload {...icon} />}
        loading={exporting.isPending}
        onClick={() => exporting.mutate()}
      >
        {exportSelected}
      </Button>
    </>
  )
}
