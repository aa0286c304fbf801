import { Alert, Button, Group, SegmentedControl, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useCallback, useRef, useState } from 'react'
import { DateInput } from '../../../components/forms/date-input.tsx'
import { keptOf, useTyped } from '../../../components/forms/kept-form.ts'
import { useLeaveQuestion } from '../../../components/forms/leave-question.tsx'
import { Card, EmptyState, Page } from '../../../components/page.tsx'
import { readText } from '../../../csv.ts'
import { instantOf } from '../../../format.ts'
import { useSession } from '../../../shell/session.tsx'
import { common } from '../../../texts/common.ts'
import { useTexts } from '../../../texts/language.tsx'
import type { Template } from '../../templates/editor/draft.ts'
import { audienceTexts } from '../audiences/audience-texts.ts'
import { TemplateSelect } from '../template-select.tsx'
import { AudiencePick } from './audience-pick.tsx'
import { BatchMapping } from './batch-mapping.tsx'
import { BatchPreview } from './batch-preview.tsx'
import { BatchSending } from './batch-sending.tsx'
import { BatchTest } from './batch-test.tsx'
import { batchTexts } from './batch-texts.ts'
import { FilePick } from './file-pick.tsx'
import { guessMapping, isMapped, type Mapping } from './plan-batch.ts'
import { type Sheet, sheetOfMembers, sheetOfText } from './sheet.ts'

/**
 * Sends many messages: the template and the rows of a file or an audience, the mapping of columns, then check, price
 * and sending.
 */
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

type Typed = { pasted: string; name: string; scheduledAt: string }
const NOTHING: Typed = { pasted: '', name: '', scheduledAt: '' }
/** The most characters of pasted text that are stored. A browser can store a few million. */
const MOST_KEPT = 1_000_000

function Preparation({ onAgain }: { onAgain: () => void }) {
  const texts = useTexts(batchTexts)
  const { values: headings } = useTexts(audienceTexts)
  const { audience } = useSearch({ strict: false }) as { audience?: string }
  const [source, setSource] = useState<'file' | 'audience'>(audience === undefined ? 'file' : 'audience')
  const [template, setTemplate] = useState<Template>()
  const [kept] = useState(() => keptOf<Typed>('batch') ?? NOTHING)
  const [sheet, setSheet] = useState<Sheet | undefined>(() =>
    kept.pasted === '' ? undefined : sheetOfText(1, texts.pasted, kept.pasted),
  )
  const [opened, setOpened] = useState(sheet?.opened ?? 0)
  const [pasted, setPasted] = useState(kept.pasted)
  const [mapping, setMapping] = useState<Mapping>()
  const [name, setName] = useState(kept.name)
  const [scheduledAt, setScheduledAt] = useState(kept.scheduledAt)
  const [isTimeWrong, setTimeWrong] = useState(false)
  const [isBegun, setBegun] = useState(false)
  const typed = useTyped('batch', { pasted, name, scheduledAt }, NOTHING, pasted.length < MOST_KEPT)
  // A file is not kept over a reload.
  useLeaveQuestion(sheet !== undefined && !isBegun)

  const saved = useRef(typed.saved)
  saved.current = typed.saved

  async function open(file: File | null): Promise<void> {
    if (file === null) return
    put(sheetOfText(opened + 1, file.name, await readText(file)))
    setPasted('')
    setName(file.name.replace(/\.[^.]+$/, ''))
  }

  function paste(text: string): void {
    setPasted(text)
    if (text.trim() === '') setSheet(undefined)
    else put(sheetOfText(opened + 1, texts.pasted, text))
  }

  /** The chosen columns stay if the header is the same, because then only the rows were corrected. */
  function put(next: Sheet): void {
    setSheet(next)
    setOpened(next.opened)
    const isSame = mapping !== undefined && JSON.stringify(sheet?.header) === JSON.stringify(next.header)
    if (template !== undefined && !isSame) setMapping(guessMapping(next.columns, template))
  }

  const begin = useCallback((has: boolean) => {
    setBegun(has)
    if (has) saved.current()
  }, [])

  function turnTo(next: string): void {
    setSource(next as typeof source)
    setSheet(undefined)
    setPasted('')
  }

  function choose(chosen: Template): void {
    setTemplate(chosen)
    if (sheet !== undefined) setMapping(guessMapping(sheet.columns, chosen))
  }

  const isReadable = sheet !== undefined && sheet.rows.length > 0
  return (
    <Stack>
      {!isBegun && (
        <Card title={texts.source} isForm>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TemplateSelect template={template} onChange={choose} />
            <Stack gap="xs">
              <SegmentedControl
                aria-label={texts.from}
                data={[
                  { value: 'file', label: texts.fromFile },
                  { value: 'audience', label: texts.fromAudience },
                ]}
                value={source}
                onChange={turnTo}
              />
              {source === 'file' ? (
                <FilePick sheet={sheet} pasted={pasted} onOpen={open} onPaste={paste} />
              ) : (
                <AudiencePick
                  start={audience}
                  onRead={(chosen, members) => {
                    put(sheetOfMembers(opened + 1, chosen.name, members, headings))
                    setName(chosen.name)
                  }}
                />
              )}
            </Stack>
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
      {sheet !== undefined && sheet.rows.length === 0 && (
        <Alert color="orange">{source === 'file' ? texts.noRows : texts.noCustomers}</Alert>
      )}
      {isReadable && template !== undefined && mapping !== undefined && (
        <>
          {!isBegun && (
            <>
              <BatchMapping
                header={sheet.header}
                firstRow={sheet.rows[0]!}
                isFixedChannel={source === 'audience'}
                template={template}
                mapping={mapping}
                onChange={setMapping}
              />
              <BatchPreview sheet={sheet} template={template} mapping={mapping} />
              {isMapped(mapping) && (
                <Card isForm>
                  <BatchTest
                    key={`${template._id} ${mapping.channel}`}
                    sheet={sheet}
                    template={template}
                    mapping={mapping}
                  />
                </Card>
              )}
            </>
          )}
          {isMapped(mapping) && (
            <BatchSending
              key={JSON.stringify([template._id, sheet.opened, mapping])}
              sheet={sheet}
              template={template}
              mapping={mapping}
              name={name}
              scheduledAt={scheduledAt === '' ? undefined : instantOf(scheduledAt)}
              // Without this, all messages would be sent immediately.
              isHeldBack={isTimeWrong}
              onBegun={begin}
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
