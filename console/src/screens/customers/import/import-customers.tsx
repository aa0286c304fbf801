import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAction } from '../../../components/actions.tsx'
import { DropArea } from '../../../components/forms/drop-area.tsx'
import { DataTable } from '../../../components/lists/data-table.tsx'
import { Card, Page, ProblemNote } from '../../../components/page.tsx'
import { type CsvRow, type ReadRow, readCsv, readText } from '../../../csv.ts'
import { formatNumber, today } from '../../../format.ts'
import { useSession } from '../../../shell/session.tsx'
import { common } from '../../../texts/common.ts'
import { ownProblem } from '../../../texts/field-problem.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { UnreadableWorkbook, withoutWorkbook } from '../../../workbook/workbook.ts'
import { CustomerColumns } from './customer-columns.tsx'
import { customerImportTexts } from './import-texts.ts'
import { chosenTwice, guessMapping, type Mapping, type RowFault, readCustomers } from './read-customers.ts'
import { type Result, sendRows } from './send-rows.ts'

const MAX_BYTES = 20 * 1024 * 1024
const FILES = 'text/csv,.csv,.txt,.tsv,.xlsx,.xls'
const SHOWN_ROWS = 3
const SHOWN_ERRORS = 50

type Opened = { name: string; header: CsvRow; rows: ReadRow[] }
/** The file has no letters with accents any more, or no rows. */
class FileProblem extends Error {
  readonly reason: 'notUtf8' | 'noRows'

  constructor(reason: 'notUtf8' | 'noRows') {
    super(reason)
    this.reason = reason
  }
}

/** Imports customers from a file: it is checked first, and the result is shown before anything is stored (G-125). */
export function ImportCustomers() {
  const texts = useTexts(customerImportTexts)
  const { noRight } = useTexts(common)
  if (useSession().canWrite) return <Import />
  return (
    <Page title={texts.title}>
      <Alert>{noRight}</Alert>
    </Page>
  )
}

function Import() {
  const texts = useTexts(customerImportTexts)
  const [opened, setOpened] = useState<Opened>()
  const [mapping, setMapping] = useState<Mapping>([])
  const [isRefused, setIsRefused] = useState(false)
  const [done, setDone] = useState(0)

  const opening = useAction({
    run: open,
    stale: [],
    quiet: true,
    onDone(file) {
      setOpened(file)
      setMapping(guessMapping(file.header))
    },
  })
  const read = opened === undefined ? undefined : readCustomers(opened, mapping, today())
  const sending = (dryRun: boolean) => ({
    run: () => {
      setDone(0)
      return sendRows(read?.customers ?? [], dryRun, setDone)
    },
    stale: dryRun ? [] : [['customers']],
    quiet: true,
  })
  const checking = useAction(sending(true))
  const importing = useAction(sending(false))
  const isBusy = opening.isPending || checking.isPending || importing.isPending
  const isReady = mapping.includes('fullName') && chosenTwice(mapping).length === 0
  const total = read?.customers.length ?? 0

  function choose(file: File | undefined) {
    setOpened(undefined)
    setIsRefused(file === undefined)
    forget()
    opening.reset()
    if (file !== undefined) opening.mutate(file)
  }

  function forget() {
    checking.reset()
    importing.reset()
  }

  const fileProblem = opening.error === null ? undefined : reasonOf(opening.error)
  return (
    <Page title={texts.title} subtitle={texts.hint}>
      <Card isForm>
        <DropArea
          label={texts.drop}
          accept={FILES}
          maxBytes={MAX_BYTES}
          isBusy={isBusy}
          minHeight={130}
          onFiles={([file]) => choose(file)}
        >
          <IconFileSpreadsheet size={32} aria-hidden />
          <div>
            <Text>{opened?.name ?? texts.drop}</Text>
            <Text size="sm" c="dimmed">
              {texts.dropHint}
            </Text>
          </div>
        </DropArea>
        {(isRefused || fileProblem !== undefined) && (
          <Text size="sm" c="red" role="alert" mt="sm">
            {texts[fileProblem ?? 'notAFile']}
          </Text>
        )}
      </Card>
      {opened !== undefined && importing.data === undefined && (
        <CustomerColumns
          header={opened.header}
          rows={opened.rows.slice(0, SHOWN_ROWS).map(({ row }) => row)}
          mapping={mapping}
          isBusy={isBusy}
          onChange={(next) => {
            setMapping(next)
            forget()
          }}
        />
      )}
      {read !== undefined && (
        <Card title={importing.data === undefined ? texts.checked : texts.done}>
          <Stack>
            {checking.error !== null && <ProblemNote error={checking.error} />}
            {importing.error !== null && (
              <>
                <ProblemNote error={importing.error} />
                <Alert color="orange">{texts.stopped}</Alert>
              </>
            )}
            {(checking.isPending || importing.isPending) && (
              <Progress aria-label={texts.progress} value={total === 0 ? 0 : (done / total) * 100} animated />
            )}
            <Outcome
              result={importing.data ?? checking.data}
              faults={read.faults}
              owedByShop={read.owedByShop}
            />
            <Group justify="flex-end">
              {importing.data !== undefined ? (
                <Button component={Link} to="/customers" variant="default">
                  {texts.toCustomers}
                </Button>
              ) : checking.data === undefined ? (
                <Button
                  loading={checking.isPending}
                  disabled={!isReady || total === 0}
                  onClick={() => checking.mutate(undefined)}
                >
                  {texts.check}
                </Button>
              ) : (
                <Start
                  result={checking.data}
                  isBusy={importing.isPending}
                  onStart={() => importing.mutate(undefined)}
                />
              )}
            </Group>
          </Stack>
        </Card>
      )}
    </Page>
  )
}

function Start({ result, isBusy, onStart }: { result: Result; isBusy: boolean; onStart: () => void }) {
  const texts = useTexts(customerImportTexts)
  const { language } = useLanguage()
  const { created, completed, unchanged, debts } = result.counts
  const isNothing = created + completed + debts === 0
  return (
    <>
      {isNothing && <Text role="status">{texts.nothing}</Text>}
      <Button loading={isBusy} disabled={isNothing} onClick={onStart}>
        {texts.start(formatNumber(created + completed + unchanged, language))}
      </Button>
    </>
  )
}

/** What was or would be done, and the rows that are wrong, by their line in the file. */
function Outcome(props: { result: Result | undefined; faults: RowFault[]; owedByShop: number }) {
  const { result, faults, owedByShop } = props
  const texts = useTexts(customerImportTexts)
  const { language } = useLanguage()
  const refused = result?.refused ?? []
  const errors = [
    ...faults.map(({ line, field, text }) => ({
      line,
      field,
      message: field === 'birthday' ? texts.noDay(text) : texts.noAmount(text),
    })),
    ...refused.map(({ line, field, problem }) => ({ line, field, message: ownProblem(problem, language) })),
  ].toSorted((one, other) => one.line - other.line)
  const counts = result && { ...result.counts, failed: errors.length }
  return (
    <>
      {counts !== undefined && (
        <Group gap="xl" role="status">
          {(Object.keys(texts.counts) as (keyof typeof counts)[]).map((name) => (
            <div key={name}>
              <Text size="sm" c="dimmed">
                {texts.counts[name]}
              </Text>
              <Text fw={600} size="lg">
                {formatNumber(counts[name], language)}
              </Text>
            </div>
          ))}
        </Group>
      )}
      {owedByShop > 0 && <Alert color="orange">{texts.owedByShop(formatNumber(owedByShop, language))}</Alert>}
      {errors.length > 0 && (
        <>
          <Text fw={600}>{texts.errors(formatNumber(errors.length, language))}</Text>
          <DataTable
            columns={[
              { title: texts.line, isNumber: true, cell: ({ line }) => formatNumber(line, language) },
              { title: texts.column, cell: ({ field }) => texts.fields[field] },
              { title: texts.message, cell: ({ message }) => message },
            ]}
            rows={errors.slice(0, SHOWN_ERRORS)}
            keyOf={({ line, field }) => `${line} ${field}`}
          />
          {errors.length > SHOWN_ERRORS && (
            <Text size="sm" c="dimmed">
              {texts.moreErrors(formatNumber(errors.length - SHOWN_ERRORS, language))}
            </Text>
          )}
        </>
      )}
    </>
  )
}

/** @throws UnreadableWorkbook; FileProblem */
async function open(file: File): Promise<Opened> {
  const text = await readText(await withoutWorkbook(file))
  if (text.includes('\uFFFD')) throw new FileProblem('notUtf8')
  const [header, ...rows] = [...readCsv(text)].filter(({ row }) => row.some((cell) => cell.trim() !== ''))
  if (header === undefined || rows.length === 0) throw new FileProblem('noRows')
  return { name: file.name, header: header.row, rows }
}

function reasonOf(error: unknown): 'notUtf8' | 'noRows' | 'notAWorkbook' | 'notRead' {
  if (error instanceof FileProblem) return error.reason
  return error instanceof UnreadableWorkbook ? 'notAWorkbook' : 'notRead'
}
