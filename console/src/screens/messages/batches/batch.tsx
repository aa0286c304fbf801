import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { saveFile } from '../../../components/download.ts'
import { DataTable } from '../../../components/lists/data-table.tsx'
import { Card, Loaded, Page } from '../../../components/page.tsx'
import { writeCsv } from '../../../csv.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { templateQuery } from '../../templates/queries.ts'
import { batchQuery } from '../queries.ts'
import { BatchBadge, BatchProgress, CancelBatch, refreshOf } from './batch-progress.tsx'
import { batchTexts } from './batch-texts.ts'
import { type RefusedMessage, refusedReason } from './plan-batch.ts'
import { useBatchName } from './use-batch-name.ts'

const SHOWN_ROWS = 100

/** One batch: its progress, and its refused messages. */
export function BatchPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const nameOf = useBatchName()
  const batch = useQuery({
    ...batchQuery(id),
    refetchInterval: ({ state }) => refreshOf(state.data?.data),
  })
  return (
    <Loaded query={batch}>
      {({ data }) => (
        <Page
          title={nameOf(data)}
          subtitle={<BatchBadge batch={data} />}
          actions={<CancelBatch batch={data} />}
        >
          <Card>
            <BatchProgress batch={data} />
          </Card>
          {data.refused.length > 0 && (
            <Refused name={data.name} templateId={data.templateId} refused={data.refused} />
          )}
        </Page>
      )}
    </Loaded>
  )
}

/** `index` is the message's index in the call, from 0. */
function Refused(props: { name: string; templateId: string; refused: RefusedMessage[] }) {
  const { name, templateId, refused } = props
  // Without it, a parameter is shown by its key.
  const template = useQuery(templateQuery(templateId)).data?.data
  const texts = useTexts(batchTexts)
  const { language } = useLanguage()
  const rows = refused.map((refusal): [string, string] => [
    String(refusal.index + 1),
    refusedReason(refusal, template, language),
  ])
  return (
    <Card
      title={texts.refusedRows}
      actions={
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDownload size={14} />}
          onClick={() =>
            saveFile(new Blob([writeCsv([[texts.row, texts.reason], ...rows])]), `${name || 'batch'}.csv`)
          }
        >
          {texts.download}
        </Button>
      }
    >
      <DataTable
        columns={[
          { title: texts.row, isNumber: true, width: 80, cell: ([row]) => row },
          { title: texts.reason, cell: ([, reason]) => reason },
        ]}
        rows={rows.slice(0, SHOWN_ROWS)}
        keyOf={([row]) => row}
      />
    </Card>
  )
}
