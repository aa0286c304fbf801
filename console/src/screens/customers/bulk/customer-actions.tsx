import { Button } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../../../api/client.ts'
import type { Customer } from '../../../api/rows.ts'
import { DownloadButton } from '../../../components/download-button.tsx'
import { bulkTexts } from '../../../components/lists/bulk/bulk-texts.ts'
import type { Selection } from '../../../components/lists/bulk/selection.ts'
import { useSession } from '../../../shell/session.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { customerTexts } from '../texts.ts'

/** The actions for the selected customers: send them messages, export. */
export function useCustomerActions(selection: Selection<Customer>): ReactNode {
  const texts = useTexts(customerTexts)
  const { exportSelected } = useTexts(bulkTexts)
  const { canWrite } = useSession()
  const ids = selection.rows.map(({ _id }) => _id).join()
  return (
    <>
      {canWrite && (
        <Button
          component={Link}
          to="/messages/batches/new"
          search={{ customers: ids } as never}
          // If they stayed selected, a person who returns after sending would send to them again.
          onClick={selection.forget}
          size="xs"
          leftSection={<IconSend size={16} aria-hidden />}
        >
          {texts.send}
        </Button>
      )}
      <DownloadButton
        size="xs"
        label={exportSelected}
        fetchFile={(labels) =>
          api.GET('/api/external/v1/customers/export', {
            params: { query: { ids, labels } },
            parseAs: 'blob',
          })
        }
      />
    </>
  )
}
