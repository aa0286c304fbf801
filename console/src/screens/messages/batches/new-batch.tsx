import { Alert, SegmentedControl, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { queryClient } from '../../../api/query.ts'
import type { Customer } from '../../../api/rows.ts'
import { DateInput } from '../../../components/forms/date-input.tsx'
import { keptOf, useTyped } from '../../../components/forms/kept-form.ts'
import { useLeaveQuestion } from '../../../components/forms/leave-question.tsx'
import { Card, EmptyState, Loaded, Page, Waiting } from '../../../components/page.tsx'
import { readText } from '../../../csv.ts'
import { formatNumber, instantOf } from '../../../format.ts'
import { useSession } from '../../../shell/session.tsx'
import { common } from '../../../texts/common.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { withoutWorkbook } from '../../../workbook/workbook.ts'
import { chosenCustomersQuery } from '../../customers/customer-queries.ts'
import type { Template } from '../../templates/editor/draft.ts'
import { audienceTexts } from '../audiences/audience-texts.ts'
import { NoTemplate } from '../no-template.tsx'
import { sendableQuery } from '../queries.ts'
import { TemplateSelect } from '../template-select.tsx'
import { AudiencePick } from './audience-pick.tsx'
import { batchTexts } from './batch-texts.ts'
import { FilePick } from './file-pick.tsx'
import classes from './new-batch.module.css'
import { guessMapping, type Mapping } from './plan-batch.ts'
import { type BatchPlan, type PlanOwner, readPlan, type Typed } from './sending/kept-plan.ts'
import { PlanProgress } from './sending/plan-progress.tsx'
import { useBatchSending } from './sending/use-batch-sending.ts'
import {
  type Sheet,
  type SheetFault,
  sheetOfCustomers,
  sheetOfMembers,
  sheetOfText,
  unreadSheet,
} from './sheet.ts'

/** Fetched once there are rows to map: half of this screen's scripts. */
const Mapped = lazy(async () => ({ default: (await import('./mapping/mapped-batch.tsx')).MappedBatch }))

/**
 * Sends many messages: the template and the rows of a file, an audience or the customers chosen in their list, the
 * mapping of columns, then check, price and sending. A batch that is not known to be accepted comes first.
 */
export function NewBatch() {
  const texts = useTexts(batchTexts)
  const { noRight } = useTexts(common)
  const { user, shop, canWrite } = useSession()
  const [round, setRound] = useState(0)
  const { customers = '' } = useSearch({ strict: false }) as { customers?: string }
  const isChosen = canWrite && customers !== ''
  const chosen = useQuery({ ...chosenCustomersQuery(customers), enabled: isChosen })
  const owner = { personId: user._id, shopId: shop?._id ?? '' }
  const start = useQuery({
    queryKey: ['batch plan', owner],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    enabled: canWrite,
    queryFn: () => startOf(owner),
  })
  if (!canWrite) return <EmptyState title={texts.title} hint={noRight} />
  if (start.data?.isWithoutTemplate) return <NoTemplate title={texts.add} />
  const prepare = (from?: Customer[]) => (
    <Loaded query={start}>
      {({ plan }) => (
        <Preparation
          key={`${owner.shopId} ${round}`}
          chosen={from}
          kept={round === 0 ? plan : undefined}
          onAgain={() => setRound(round + 1)}
        />
      )}
    </Loaded>
  )
  return <Page title={texts.add}>{isChosen ? <Loaded query={chosen}>{prepare}</Loaded> : prepare()}</Page>
}

/** The plan that is kept in this browser; without one, whether the shop has no template to send. */
async function startOf(owner: PlanOwner): Promise<{ plan?: BatchPlan; isWithoutTemplate: boolean }> {
  // A browser that cannot store a plan has none, and sends nothing.
  const plan = await readPlan(owner).catch(() => undefined)
  if (plan !== undefined) return { plan, isWithoutTemplate: false }
  return { isWithoutTemplate: (await queryClient.fetchQuery(sendableQuery('', false))).length === 0 }
}

const NOTHING: Typed = { pasted: '', name: '', scheduledAt: '' }
/** The most characters of pasted text that are stored. A browser can store a few million. */
const MOST_KEPT = 1_000_000

type Source = 'file' | 'audience' | 'chosen'

function Preparation(props: {
  chosen: Customer[] | undefined
  kept: BatchPlan | undefined
  onAgain: () => void
}) {
  const { chosen } = props
  const texts = useTexts(batchTexts)
  const { values: headings, counted, withoutPhone } = useTexts(audienceTexts)
  const { language } = useLanguage()
  const { audience } = useSearch({ strict: false }) as { audience?: string }
  const [template, setTemplate] = useState<Template>()
  const { plan, sending, begin, goOn, discard } = useBatchSending(props.kept, props.onAgain)
  const [kept] = useState(() => plan?.typed ?? keptOf<Typed>('batch') ?? NOTHING)
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
  /** Whether other rows were chosen and are not read: those before them are not sent to. */
  const [isAwaited, setAwaited] = useState(false)
  const [pasted, setPasted] = useState(kept.pasted)
  /** The rows of the file or pasted, also while another source is shown. */
  const fromFile = useRef(kept.pasted === '' ? undefined : sheet)
  /** Counts what the person chose: while a large workbook is read, for seconds, they may choose something else. */
  const choices = useRef(0)
  const [mapping, setMapping] = useState<Mapping>()
  const [name, setName] = useState(kept.name)
  /** The name that the source gave. One that the person typed stays. */
  const givenName = useRef('')
  const [scheduledAt, setScheduledAt] = useState(kept.scheduledAt)
  const [isTimeWrong, setTimeWrong] = useState(false)
  const isHeld = plan !== undefined
  const input = { pasted: source === 'file' ? pasted : '', name, scheduledAt }
  const typed = useTyped('batch', input, isHeld ? input : NOTHING, pasted.length < MOST_KEPT)
  // A file is not kept over a reload.
  useLeaveQuestion(sheet !== undefined && !isHeld && (source !== 'chosen' || template !== undefined))

  const guard = useRef(typed)
  guard.current = typed
  useEffect(() => {
    // Meanwhile the plan has the input.
    if (isHeld) guard.current.saved()
    else guard.current.rebase(NOTHING)
  }, [isHeld])

  async function open(file: File | null): Promise<void> {
    if (file === null) return
    const choice = ++choices.current
    setAwaited(true)
    const text = await textOf(file).catch(() => undefined)
    if (choice === choices.current) takeNow.current(file.name, text)
  }

  function take(fileName: string, text: string | undefined): void {
    const number = opened + 1
    fromFile.current =
      text === undefined ? unreadSheet(number, fileName) : sheetOfText(number, fileName, text)
    put(fromFile.current)
    setPasted('')
    giveName(fileName.replace(/\.[^.]+$/, ''))
  }
  // The template may be chosen while a workbook is read.
  const takeNow = useRef(take)
  takeNow.current = take

  function giveName(given: string): void {
    const before = givenName.current
    givenName.current = given
    setName((now) => (now === '' || now === before ? given : now))
  }

  function paste(text: string): void {
    choices.current += 1
    setPasted(text)
    fromFile.current = text.trim() === '' ? undefined : sheetOfText(opened + 1, texts.pasted, text)
    show(fromFile.current)
  }

  function show(next: Sheet | undefined): void {
    setAwaited(false)
    if (next === undefined) setSheet(undefined)
    else put(next)
  }

  /** The chosen columns stay if the header is the same, because then only the rows were corrected. */
  function put(next: Sheet): void {
    setSheet(next)
    setAwaited(false)
    setOpened(next.opened)
    const isSame = mapping !== undefined && JSON.stringify(sheet?.header) === JSON.stringify(next.header)
    if (template !== undefined && !isSame) setMapping(guessMapping(next.columns, template))
  }

  function turnTo(next: string): void {
    choices.current += 1
    setSource(next as Source)
    if (next === 'chosen') put(sheetOfChosen(opened + 1))
    else show(next === 'file' ? fromFile.current : undefined)
  }

  function choose(chosen: Template): void {
    setTemplate(chosen)
    if (sheet !== undefined) setMapping(guessMapping(sheet.columns, chosen))
  }

  const startsAt = scheduledAt === '' ? undefined : instantOf(scheduledAt)
  const without = (chosen?.length ?? 0) - reachable.length
  const isReadable = sheet !== undefined && sheet.rows.length > 0 && !isAwaited
  if (plan !== undefined) {
    return (
      <Stack>
        <PlanProgress plan={plan} sending={sending} onGoOn={goOn} onDiscard={discard} />
      </Stack>
    )
  }
  return (
    <Stack>
      <Card title={texts.source} isForm>
        <SimpleGrid cols={{ base: 1, sm: 2 }} className={classes.fields}>
          <TemplateSelect template={template} onChange={choose} />
          <Stack gap="xs" className={classes.recipients}>
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
            {source === 'file' && (
              <FilePick sheet={isAwaited ? undefined : sheet} pasted={pasted} onOpen={open} onPaste={paste} />
            )}
            {source === 'chosen' && (
              <Text size="sm">
                {counted(formatNumber(reachable.length, language))}
                {without > 0 && ` ${withoutPhone(formatNumber(without, language))}`}
              </Text>
            )}
            {source === 'audience' && (
              <AudiencePick
                start={audience}
                onChoose={() => setAwaited(true)}
                onRead={(chosen, members) => {
                  put(sheetOfMembers(opened + 1, chosen.name, members, headings))
                  giveName(chosen.name)
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
      {sheet !== undefined && sheet.rows.length === 0 && !isAwaited && (
        <Alert color="orange">
          {sheet.fault === undefined
            ? { file: texts.noRows, audience: texts.noCustomers, chosen: texts.noPhones }[source]
            : faultText(sheet.fault, texts)}
        </Alert>
      )}
      {isReadable && template !== undefined && mapping !== undefined && (
        <Suspense fallback={<Waiting />}>
          <Mapped
            sheet={sheet}
            template={template}
            mapping={mapping}
            isFixedChannel={source !== 'file'}
            onMap={setMapping}
            fileName={texts.refusedFile(name || texts.title)}
            scheduledAt={startsAt}
            // Without this, all messages would be sent immediately.
            isHeldBack={isTimeWrong}
            sending={sending}
            onSend={(checked) =>
              begin({ ...checked, template, name, scheduledAt: startsAt, header: sheet.header, typed: input })
            }
          />
        </Suspense>
      )}
    </Stack>
  )
}

/** The text of a CSV file or workbook; a workbook that cannot be read stays what it is, which the sheet then says. */
async function textOf(file: File): Promise<string> {
  return readText(await withoutWorkbook(file).catch(() => file))
}

function faultText(fault: SheetFault, texts: typeof batchTexts.vi): string {
  switch (fault.kind) {
    case 'workbook':
      return texts.isWorkbook
    case 'encoding':
      return texts.isOtherEncoding
    case 'unread':
      return texts.isUnread
    case 'quote':
      return texts.isUnclosed(String(fault.line))
  }
}
