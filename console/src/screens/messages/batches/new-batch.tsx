import { Alert, Button, FileInput, Group, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useState } from 'react'
import { CHOOSE_AGAIN } from '../../../components/forms/choose-again.ts'
import { DateInput } from '../../../components/forms/date-input.tsx'
import { useLeaveQuestion } from '../../../components/forms/leave-question.tsx'
import { Card, EmptyState, Page } from '../../../components/page.tsx'
import { formatNumber } from '../../../format.ts'
import { useSession } from '../../../shell/session.tsx'
import { common } from '../../../texts/common.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import type { Template } from '../../templates/editor/draft.ts'
import { TemplateSelect } from '../template-select.tsx'
import { BatchMapping } from './batch-mapping.tsx'
import { BatchPreview } from './batch-preview.tsx'
import { BatchSending } from './batch-sending.tsx'
import { batchTexts } from './batch-texts.ts'
import { type CsvRow, parseCsv, readText } from './csv.ts'
import { guessMapping, isMapped, type Mapping } from './plan-batch.ts'

/** `opened`: its number among those opened here, as a corrected one has the same name. */
type Sheet = { opened: number; name: string; header: CsvRow; rows: CsvRow[] }

/** Many messages from a CSV file: template and file, which column goes where, then price and sending. */
export function NewBatch() {
  const texts = useTexts(batchTexts)
  const { noRight } = useTexts(common)
  const { canWrite } = useSession()
  const [round, setRound] = useState(0)
  if (!canWrite) return <EmptyState title={texts.title} hint={noRight} />
  return (
    <Page title={texts.add}>
      <Preparation key={round} onAgain={() => setRound(round + 1)} />
    </Page>
  )
}

function Preparation({ onAgain }: { onAgain: () => void }) {
  const texts = useTexts(batchTexts)
  const [template, setTemplate] = useState<Template>()
  const [sheet, setSheet] = useState<Sheet>()
  const [opened, setOpened] = useState(0)
  const [pasted, setPasted] = useState('')
  const [mapping, setMapping] = useState<Mapping>()
  const [name, setName] = useState('')
  const [scheduledAt, setScheduledAt] = useState('')
  const [isTimeWrong, setTimeWrong] = useState(false)
  const [isBegun, setBegun] = useState(false)
  // A file is not kept over a reload.
  useLeaveQuestion(sheet !== undefined && !isBegun)

  async function open(file: File | null): Promise<void> {
    if (file === null) return
    read(file.name, await readText(file))
    setPasted('')
    setName(file.name.replace(/\.[^.]+$/, ''))
  }

  function paste(text: string): void {
    setPasted(text)
    if (text.trim() === '') setSheet(undefined)
    else read(texts.pasted, text)
  }

  /** The columns stay as they were chosen where the header is the same: the rows were corrected. */
  function read(from: string, text: string): void {
    const [header = [], ...rows] = parseCsv(text)
    setSheet({ opened: opened + 1, name: from, header, rows })
    setOpened(opened + 1)
    const isSame = mapping !== undefined && JSON.stringify(sheet?.header) === JSON.stringify(header)
    if (template !== undefined && !isSame) setMapping(guessMapping(header, template))
  }

  function choose(chosen: Template): void {
    setTemplate(chosen)
    if (sheet !== undefined) setMapping(guessMapping(sheet.header, chosen))
  }

  const isReadable = sheet !== undefined && sheet.rows.length > 0
  return (
    <Stack>
      {!isBegun && (
        <Card title={texts.source} isForm>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TemplateSelect template={template} onChange={choose} />
            <FilePick sheet={sheet} pasted={pasted} onOpen={open} onPaste={paste} />
            <TextInput
              label={texts.name}
              maxLength={200}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <DateInput
              hasTime
              label={texts.scheduledAt}
              description={texts.scheduledHint}
              value={scheduledAt}
              onChange={setScheduledAt}
              onWrong={setTimeWrong}
            />
          </SimpleGrid>
        </Card>
      )}
      {sheet !== undefined && sheet.rows.length === 0 && <Alert color="orange">{texts.noRows}</Alert>}
      {isReadable && template !== undefined && mapping !== undefined && (
        <>
          {!isBegun && (
            <>
              <BatchMapping
                header={sheet.header}
                firstRow={sheet.rows[0]!}
                template={template}
                mapping={mapping}
                onChange={setMapping}
              />
              <BatchPreview rows={sheet.rows} template={template} mapping={mapping} />
            </>
          )}
          {isMapped(mapping) && (
            <BatchSending
              key={JSON.stringify([template._id, sheet.opened, mapping])}
              header={sheet.header}
              rows={sheet.rows}
              template={template}
              mapping={mapping}
              name={name}
              // The shop's zone keeps one offset all year.
              scheduledAt={scheduledAt === '' ? undefined : new Date(`${scheduledAt}:00+07:00`).toISOString()}
              // Without it all would be sent immediately.
              isHeldBack={isTimeWrong}
              onBegun={setBegun}
            />
          )}
        </>
      )}
      {isBegun && (
        <Group>
          <Button variant="default" onClick={onAgain}>
            {texts.another}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

/** A file of rows, or the rows as they are copied from a spreadsheet. */
function FilePick(props: {
  sheet: Sheet | undefined
  pasted: string
  onOpen: (file: File | null) => void
  onPaste: (text: string) => void
}) {
  const { sheet, pasted, onOpen, onPaste } = props
  const texts = useTexts(batchTexts)
  const { language } = useLanguage()
  return (
    <div>
      <FileInput
        label={texts.file}
        description={texts.fileHint}
        required={pasted === ''}
        accept=".csv,.txt,text/csv"
        placeholder={sheet?.name ?? 'khach-hang.csv'}
        leftSection={<IconFileSpreadsheet size={16} />}
        fileInputProps={CHOOSE_AGAIN}
        onChange={onOpen}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          onOpen(event.dataTransfer.files[0] ?? null)
        }}
      />
      <Textarea
        mt="xs"
        label={texts.paste}
        description={texts.pasteHint}
        rows={2}
        value={pasted}
        onChange={(event) => onPaste(event.currentTarget.value)}
      />
      {sheet !== undefined && (
        <Text size="sm" mt={4}>
          {sheet.name} · {texts.rows(formatNumber(sheet.rows.length, language))}
        </Text>
      )}
    </div>
  )
}
