import { Anchor, Button, Group, Stack } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { saveFile } from '../../../components/download.ts'
import { Facts } from '../../../components/facts.tsx'
import { DataTable } from '../../../components/lists/data-table.tsx'
import { Card, Loaded, Page } from '../../../components/page.tsx'
import { When } from '../../../components/values.tsx'
import { writeCsv } from '../../../csv.ts'
import { formatNumber } from '../../../format.ts'
import { common } from '../../../texts/common.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { templateQuery } from '../../templates/queries.ts'
import { batchQuery } from '../queries.ts'
import { messageTexts } from '../texts.ts'
import { BatchBadge, BatchProgress, CancelBatch, refreshOf } from './batch-progress.tsx'
import { batchTexts } from './batch-texts.ts'
import { type Batch, type RefusedMessage, refusedReason } from './plan-batch.ts'
import { useBatchName } from './use-batch-name.ts'

const SHOWN_ROWS = 100

/** One batch: its progress, what it was, its messages, and the refused ones. */
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
            <Stack>
              <BatchProgress batch={data} />
              <BatchFacts batch={data} />
            </Stack>
          </Card>
          {data.refused.length > 0 && (
            <Refused name={data.name} templateId={data.templateId} refused={data.refused} />
          )}
        </Page>
      )}
    </Loaded>
  )
}

/** What was sent and when, and the way to its messages. */
function BatchFacts({ batch }: { batch: Batch }) {
  const texts = useTexts(batchTexts)
  const { template: templateName } = useTexts(messageTexts)
  const words = useTexts(common)
  const { language } = useLanguage()
  const template = useQuery(templateQuery(batch.templateId)).data?.data
  const { received, error, cancelled } = batch.progress
  const show = (status: '' | 'ERROR' | 'CANCELLED', label: string) => (
    <Anchor
      component={Link}
      to="/messages"
      search={{ batch: batch._id, ...(status !== '' && { status }) } as never}
      size="sm"
    >
      {label}
    </Anchor>
  )
  return (
    <>
      <Facts
        facts={[
          [
            templateName,
            template && (
              <Anchor component={Link} to={`/templates/${template._id}`} size="sm">
                {template.name}
              </Anchor>
            ),
          ],
          [words.createdAt, <When key="created" at={batch.createdAt} />],
          [texts.scheduledAt, batch.scheduledAt && <When at={batch.scheduledAt} />],
          [texts.refusedRows, batch.refusedCount === 0 ? '' : formatNumber(batch.refusedCount, language)],
        ]}
      />
      <Group>
        {received + error + cancelled > 0 && show('', texts.seeMessages)}
        {error > 0 && show('ERROR', texts.seeFailed)}
        {cancelled > 0 && show('CANCELLED', texts.seeCancelled)}
      </Group>
    </>
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
          {texts.downloadRefused}
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
