import { Alert, Button, Group, SegmentedControl, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useCallback, useRef, useState } from 'react'
import type { Customer } from '../../../api/rows.ts'
import { DateInput } from '../../../components/forms/date-input.tsx'
import { keptOf, useTyped } from '../../../components/forms/kept-form.ts'
import { useLeaveQuestion } from '../../../components/forms/leave-question.tsx'
import { Card, EmptyState, Loaded, Page } from '../../../components/page.tsx'
import { readText } from '../../../csv.ts'
import { formatNumber, instantOf } from '../../../format.ts'
import { useSession } from '../../../shell/session.tsx'
import { common } from '../../../texts/common.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { chosenCustomersQuery } from '../../customers/customer-queries.ts'
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
import { type Sheet, sheetOfCustomers, sheetOfMembers, sheetOfText } from './sheet.ts'

/**
 * Sends many messages: the template and the rows of a file, an audience or the customers chosen in their list, the
 * mapping of columns, then check, price and sending.
 */
export function NewBatch() {
  const texts = useTexts(batchTexts)
  const { noRight } = useTexts(common)
  const { canWrite } = useSession()
  const [round, setRound] = useState(0)
  const { customers = '' } = useSearch({ strict: false }) as { customers?: string }
  const isChosen = canWrite && customers !== ''
  const chosen = useQuery({ ...chosenCustomersQuery(customers), enabled: isChosen })
  if (!canWrite) return <EmptyState title={texts.title} hint={noRight} />
  const prepare = (from?: Customer[]) => (
    <Preparation key={round} chosen={from} onAgain={() => setRound(round + 1)} />
  )
  return <Page title={texts.add}>{isChosen ? <Loaded query={chosen}>{prepare}</Loaded> : prepare()}</Page>
}

type Typed = { pasted: string; name: string; scheduledAt: string }
const NOTHING: Typed = { pasted: '', name: '', scheduledAt: '' }
/** The most characters of pasted text that are stored. A browser can store a few million. */
const MOST_KEPT = 1_000_000

type Source = 'file' | 'audience' | 'chosen'

function Preparation({ chosen, onAgain }: { chosen: Customer[] | undefined; onAgain: () => void }) {
  const texts = useTexts(batchTexts)
  const { values: headings, counted, withoutPhone } = useTexts(audienceTexts)
  const { language } = useLanguage()
  const { audience } = useSearch({ strict: false }) as { audience?: string }
  const [template, setTemplate] = useState<Template>()
  const [kept] = useState(() => keptOf<Typed>('batch') ?? NOTHING)
  const [source, setSource] = useState<Source>(() => {
    if (chosen !== undefined && kept.pasted === '') return 'chosen'
    return audience === undefined ? 'file' : 'audience'
  })
  const reachable = chosen?.filter(({ phone }) => phone !== '') ?? []
  const sheetOfChosen = (number: number) => sheetOfCustomers(number, texts.fromChosen, reachable, headings)
  const [sheet, setSheet] = useState<Sheet | undefined>(() => {
    if (kept.pasted !== '') return sheetOfText(1, texts.pasted, kept.pasted)
    return chosen === undefined ? undefined : sheetOfChosen(1)
  })
  const [opened, setOpened] = useState(sheet?.opened ?? 0)
  const [pasted, setPasted] = useState(kept.pasted)
  const [mapping, setMapping] = useState<Mapping>()
  const [name, setName] = useState(kept.name)
  const [scheduledAt, setScheduledAt] = useState(kept.scheduledAt)
  const [isTimeWrong, setTimeWrong] = useState(false)
  const [isBegun, setBegun] = useState(false)
  const typed = useTyped('batch', { pasted, name, scheduledAt }, NOTHING, pasted.length < MOST_KEPT)
  // A file is not kept over a reload.
  useLeaveQuestion(sheet !== undefined && !isBegun && (source !== 'chosen' || template !== undefined))

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
    setSource(next as Source)
    setPasted('')
    if (next === 'chosen') put(sheetOfChosen(opened + 1))
    else setSheet(undefined)
  }

  function choose(chosen: Template): void {
    setTemplate(chosen)
    if (sheet !== undefined) setMapping(guessMapping(sheet.columns, chosen))
  }

  const without = (chosen?.length ?? 0) - reachable.length
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
                  ...(chosen === undefined ? [] : [{ value: 'chosen', label: texts.fromChosen }]),
                  { value: 'file', label: texts.fromFile },
                  { value: 'audience', label: texts.fromAudience },
                ]}
                value={source}
                onChange={turnTo}
              />
              {source === 'file' && <FilePick sheet={sheet} pasted={pasted} onOpen={open} onPaste={paste} />}
              {source === 'chosen' && (
                <Text size="sm">
                  {counted(formatNumber(reachable.length, language))}
                  {without > 0 && ` ${withoutPhone(formatNumber(without, language))}`}
                </Text>
              )}
              {source === 'audience' && (
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
        <Alert color="orange">
          {{ file: texts.noRows, audience: texts.noCustomers, chosen: texts.noPhones }[source]}
        </Alert>
      )}
      {isReadable && template !== undefined && mapping !== undefined && (
        <>
          {!isBegun && (
            <>
              <BatchMapping
                header={sheet.header}
                firstRow={sheet.rows[0]!}
                isFixedChannel={source !== 'file'}
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
