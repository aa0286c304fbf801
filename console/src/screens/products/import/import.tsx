import { Button, Radio, Stack, Text } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { useAction } from '../../../components/actions.tsx'
import { DropArea } from '../../../components/forms/drop-area.tsx'
import { Card, Page, ProblemNote } from '../../../components/page.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { ImportProgress } from './import-progress.tsx'
import { importTexts } from './import-texts.ts'

const MAX_BYTES = 50 * 1024 * 1024
const FILES = 'text/csv,application/x-ndjson,.csv,.ndjson,.jsonl'
const MODES = ['all-or-nothing', 'each-row'] as const
type Mode = (typeof MODES)[number]

/** Imports products from a file: the file is checked first, and the result is shown before anything is written. */
export function ImportProducts() {
  const texts = useTexts(importTexts)
  const [file, setFile] = useState<File>()
  const [isRefused, setIsRefused] = useState(false)
  const [mode, setMode] = useState<Mode>('all-or-nothing')
  const [checkId, setCheckId] = useState<string>()
  const [importId, setImportId] = useState<string>()
  const sending = useAction({
    run: ({ content, dryRun }: { content: File; dryRun: boolean }) =>
      dataOf(
        api.POST('/api/external/v1/products/import', {
          params: { query: { dryRun, mode } },
          body: content as never,
          bodySerializer: (bytes) => bytes as unknown as BodyInit,
          headers: { 'content-type': content.name.endsWith('.csv') ? 'text/csv' : 'application/x-ndjson' },
        }),
      ),
    stale: [],
    quiet: true,
    onDone: ({ data }, { dryRun }) => (dryRun ? setCheckId(data._id) : setImportId(data._id)),
  })

  function choose(content: File | undefined) {
    setFile(content)
    setCheckId(undefined)
    setImportId(undefined)
    setIsRefused(content === undefined)
    if (content !== undefined) sending.mutate({ content, dryRun: true })
  }

  return (
    <Page title={texts.title} subtitle={texts.hint}>
      <Card isForm>
        <Stack>
          {sending.error !== null && <ProblemNote error={sending.error} />}
          <DropArea
            label={texts.drop}
            accept={FILES}
            maxBytes={MAX_BYTES}
            isBusy={sending.isPending}
            minHeight={130}
            onFiles={([content]) => choose(content)}
          >
            <IconFileSpreadsheet size={32} aria-hidden />
            <div>
              <Text>{file?.name ?? texts.drop}</Text>
              <Text size="sm" c="dimmed">
                {texts.dropHint}
              </Text>
            </div>
          </DropArea>
          {isRefused && (
            <Text size="sm" c="red" role="alert">
              {texts.notAFile}
            </Text>
          )}
          <Radio.Group label={texts.mode} value={mode} onChange={(value) => setMode(value as Mode)}>
            <Stack gap="xs" mt="xs">
              {MODES.map((value) => (
                <Radio key={value} value={value} label={texts.modes[value]} />
              ))}
            </Stack>
          </Radio.Group>
        </Stack>
      </Card>
      {checkId !== undefined && importId === undefined && (
        <ImportProgress
          id={checkId}
          next={(counts) => (
            <Button
              loading={sending.isPending}
              disabled={
                counts.created + counts.updated === 0 || (mode === 'all-or-nothing' && counts.failed > 0)
              }
              onClick={() => file !== undefined && sending.mutate({ content: file, dryRun: false })}
            >
              {texts.start}
            </Button>
          )}
        />
      )}
      {importId !== undefined && <ImportProgress id={importId} />}
    </Page>
  )
}
