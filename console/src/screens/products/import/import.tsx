import { Alert, Button, Radio, Stack, Text } from '@mantine/core'
import { IconDownload, IconFileSpreadsheet } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { queryClient } from '../../../api/query.ts'
import { useAction } from '../../../components/actions.tsx'
import { saveFile } from '../../../components/download.ts'
import { headingOf } from '../../../components/file-columns/headings.ts'
import { DropArea } from '../../../components/forms/drop-area.tsx'
import { useSentOnce } from '../../../components/forms/sent-once.ts'
import { Card, Page, ProblemNote } from '../../../components/page.tsx'
import { formatNumber } from '../../../format.ts'
import { useSession } from '../../../shell/session.tsx'
import { common } from '../../../texts/common.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { UnreadableWorkbook, withoutWorkbook } from '../../../workbook/workbook.ts'
import { categoriesQuery } from '../product-queries.ts'
import { ColumnMapping } from './column-mapping.tsx'
import { chosenTwice, guessMapping, isServicesHeader, type Mapping } from './columns.ts'
import {
  type Beginning,
  type Converted,
  convertFile,
  EmptyFile,
  isEmptyText,
  NotUtf8,
  readBeginning,
} from './convert-file.ts'
import { type Counts, ImportProgress } from './import-progress.tsx'
import { importTexts } from './import-texts.ts'
import { MissingCategories } from './missing-categories.tsx'
import { areVariants, sourceOf } from './product-lines.ts'
import { sampleFile } from './sample.ts'
import { StockedWarehouse } from './stocked-warehouse.tsx'

const MAX_BYTES = 50 * 1024 * 1024
const FILES = 'text/csv,application/x-ndjson,.csv,.txt,.tsv,.ndjson,.jsonl,.xlsx,.xls'
const MODES = ['all-or-nothing', 'each-row'] as const
type Mode = (typeof MODES)[number]

/** A file whose columns the person says. */
type Foreign = { file: File; beginning: Beginning; mapping: Mapping }
/** What is sent: the file itself, or its chosen columns as the service reads them. */
type Content = {
  file: File
  mapping?: Mapping | undefined
  header?: string[] | undefined
  /** Where the opening stock is recorded; undefined: in the default warehouse. */
  warehouseId?: string | undefined
  /** What became of the file's rows. */
  converted?: Omit<Converted, 'file'>
}

/** Imports products from a file: the file is checked first, and the result is shown before anything is written. */
export function ImportProducts() {
  const texts = useTexts(importTexts)
  const { noRight } = useTexts(common)
  if (useSession().canWrite) return <Import />
  return (
    <Page title={texts.title}>
      <Alert>{noRight}</Alert>
    </Page>
  )
}

function Import() {
  const texts = useTexts(importTexts)
  const { language } = useLanguage()
  const [file, setFile] = useState<File>()
  const [foreign, setForeign] = useState<Foreign>()
  const [isRefused, setIsRefused] = useState(false)
  const [mode, setMode] = useState<Mode>('all-or-nothing')
  const [warehouseId, setWarehouseId] = useState<string>()
  /** What was checked; `file` is as it was sent. */
  const [checked, setChecked] = useState<Content>()
  const [checkId, setCheckId] = useState<string>()
  const [importId, setImportId] = useImportId()
  const once = useSentOnce<{ checkId: string; mode: Mode }>('product import')

  const checking = useAction({
    async run({ file: source, ...rest }: Content) {
      let content: Content = { ...rest, file: source }
      if (rest.mapping !== undefined) {
        const { file: sent, ...converted } = await convertFile(source, rest.mapping)
        content = { ...rest, file: sent, converted }
      }
      return { sent: content, ...(await send(content, mode, true)) }
    },
    stale: [],
    quiet: true,
    onDone({ sent, data }) {
      setChecked(sent)
      setCheckId(data._id)
    },
  })
  const opening = useAction({
    run: open,
    stale: [],
    quiet: true,
    onDone: ({ content, foreign: found }) => {
      setForeign(found)
      if (content !== undefined) checking.mutate({ ...content, warehouseId })
    },
  })
  const importing = useAction({
    // Pressed again after its response was lost, it is the same import.
    run: (content: Content) =>
      once.send({ checkId: checkId!, mode }, (headers) => send(content, mode, false, headers)),
    stale: [],
    quiet: true,
  })
  const sampling = useAction({
    run: async () => sampleFile(language, await queryClient.fetchQuery(categoriesQuery)),
    stale: [],
    onDone: (sample) => saveFile(sample, sample.name),
  })
  const hasStock = (foreign?.mapping ?? checked?.mapping ?? checked?.header ?? []).some(
    (column) => column?.trim() === 'openingStock',
  )
  const error = opening.error ?? checking.error ?? importing.error
  const reason = whyUnread(error)

  function choose(content: File | undefined) {
    setFile(content)
    setForeign(undefined)
    setIsRefused(content === undefined)
    forget()
    if (content !== undefined) opening.mutate(content)
  }

  function forget() {
    setChecked(undefined)
    setCheckId(undefined)
    setImportId(undefined)
    opening.reset()
    checking.reset()
    importing.reset()
  }

  function checkAgain(change: Pick<Content, 'warehouseId'> = {}) {
    const content = checking.variables
    forget()
    if (content !== undefined) checking.mutate({ ...content, ...change })
  }

  /** The name of a column of the service in the file; undefined if the file does not have it. */
  function headingFor(column: string): string | undefined {
    const { mapping, header } = checked ?? {}
    const columns = (mapping ?? header ?? []).map((one) => one?.trim())
    const source = sourceOf(column)
    const own = columns.indexOf(column)
    const at = own === -1 && source !== undefined ? columns.indexOf(source) : own
    return at === -1 || header === undefined ? undefined : headingOf(header[at]!, texts.unnamed(at + 1))
  }
  const progress = {
    headingFor,
    isJson: checked !== undefined && isJson(checked.file),
    moreColumns: checked?.converted?.moreColumns ?? 0,
  }

  return (
    <Page
      title={texts.title}
      term="csv"
      subtitle={texts.hint}
      actions={
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={sampling.isPending}
          onClick={() => sampling.mutate(undefined)}
        >
          {texts.sample}
        </Button>
      }
    >
      <Card isForm>
        <Stack>
          {error !== null && reason === undefined && <ProblemNote error={error} />}
          <DropArea
            label={texts.drop}
            accept={FILES}
            maxBytes={MAX_BYTES}
            isBusy={opening.isPending || checking.isPending || importing.isPending}
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
          {reason !== undefined && (
            <Text size="sm" c="red" role="alert">
              {texts[reason]}
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
      {file !== undefined && hasStock && importId === undefined && (
        <StockedWarehouse
          value={warehouseId}
          isBusy={checking.isPending || importing.isPending}
          onChange={(id) => {
            setWarehouseId(id)
            checkAgain({ warehouseId: id })
          }}
        />
      )}
      {file !== undefined && foreign !== undefined && importId === undefined && (
        <ColumnMapping
          beginning={foreign.beginning}
          mapping={foreign.mapping}
          onChange={(mapping) => {
            setForeign({ ...foreign, mapping })
            forget()
          }}
          isBusy={checking.isPending || importing.isPending}
          onCheck={
            checkId === undefined
              ? () =>
                  checking.mutate({
                    file: foreign.file,
                    mapping: foreign.mapping,
                    header: foreign.beginning.header,
                    warehouseId,
                  })
              : undefined
          }
        />
      )}
      {checked?.converted !== undefined && importId === undefined && <Changes {...checked.converted} />}
      {checkId !== undefined && importId === undefined && (
        <ImportProgress
          id={checkId}
          {...progress}
          help={(errors) => <MissingCategories errors={errors} onCreated={() => checkAgain()} />}
          next={(counts) => {
            const reason = whyNot(counts, mode, texts)
            return (
              <>
                {reason !== undefined && (
                  <Text size="sm" role="status">
                    {reason}
                  </Text>
                )}
                <Button
                  loading={importing.isPending}
                  disabled={reason !== undefined}
                  onClick={() =>
                    checked !== undefined &&
                    // Not once the screen was left: the address is another's then.
                    importing.mutate(checked, { onSuccess: ({ data }) => setImportId(data._id) })
                  }
                >
                  {texts.start}
                </Button>
              </>
            )
          }}
        />
      )}
      {importId !== undefined && (
        <ImportProgress
          id={importId}
          {...progress}
          next={({ stocked }) => (
            <>
              {stocked === 0 && (
                <Button component={Link} to="/goods-received/new" variant="default">
                  {texts.receiveGoods}
                </Button>
              )}
              <Button component={Link} to="/products" variant="default">
                {texts.toProducts}
              </Button>
            </>
          )}
        />
      )}
    </Page>
  )
}

/** What became of a file's rows beside what they say, so that nobody is surprised by the numbers below. */
function Changes({ changedStocks, variants, units, skippedStocks }: Omit<Converted, 'file'>) {
  const texts = useTexts(importTexts)
  const { language } = useLanguage()
  const number = (n: number) => formatNumber(n, language)
  return (
    <>
      {variants.rows > 0 && <Alert>{texts.variants(number(variants.rows), number(variants.products))}</Alert>}
      {units > 0 && <Alert color="orange">{texts.units(number(units))}</Alert>}
      {changedStocks > 0 && <Alert color="orange">{texts.changedStocks(number(changedStocks))}</Alert>}
      {skippedStocks > 0 && <Alert color="orange">{texts.skippedStocks(number(skippedStocks))}</Alert>}
    </>
  )
}

/** The import that was begun, kept in the address so that a reload shows its progress and result again. */
function useImportId(): [string | undefined, (id: string | undefined) => void] {
  const { import: id } = useSearch({ strict: false }) as { import?: string }
  const navigate = useNavigate()
  return [
    id,
    (next) => {
      if (next !== id) void navigate({ to: '.', search: { import: next } as never, replace: true })
    },
  ]
}

/** Why a checked file cannot be imported. */
function whyNot(
  { created, updated, failed, stocked }: Counts,
  mode: Mode,
  texts: { hasErrors: string; nothingToImport: string },
): string | undefined {
  if (mode === 'all-or-nothing' && failed > 0) return texts.hasErrors
  return created + updated + stocked === 0 ? texts.nothingToImport : undefined
}

/** The file cannot be read, for example because it was deleted meanwhile. */
class FileProblem extends Error {}

/** Which text says why the file was not read; undefined for another error. */
function whyUnread(error: unknown): 'emptyFile' | 'notUtf8' | 'notAWorkbook' | 'notRead' | undefined {
  if (error instanceof EmptyFile) return 'emptyFile'
  if (error instanceof NotUtf8) return 'notUtf8'
  if (error instanceof UnreadableWorkbook) return 'notAWorkbook'
  return error instanceof FileProblem ? 'notRead' : undefined
}

/**
 * How a file is checked. Files that the service reads are sent as they are, and its own columns in a workbook or with other
 * separators are rewritten. For others the person says what the columns are; if their names are all usual, the check begins
 * anyway.
 */
async function open(chosen: File): Promise<{ content?: Content; foreign?: Foreign }> {
  const { file, beginning } = await read(chosen).catch((cause) => {
    throw whyUnread(cause) === undefined ? new FileProblem('unreadable', { cause }) : cause
  })
  if (beginning === undefined) return { content: { file } }
  const { header, isCommas } = beginning
  const names = header.map((heading) => heading.trim())
  const isServices = isServicesHeader(header) && chosenTwice(names).length === 0
  if (isServices && isCommas && !areVariants(names)) return { content: { file, header } }
  if (isServices) return { content: { file, mapping: names, header } }
  const { mapping, isCertain } = guessMapping(header)
  const foreign = { file, beginning, mapping }
  return isCertain ? { content: { file, mapping, header }, foreign } : { foreign }
}

/** @throws EmptyFile, NotUtf8, UnreadableWorkbook */
async function read(chosen: File): Promise<{ file: File; beginning?: Beginning }> {
  if (isJson(chosen)) {
    if (await isEmptyText(chosen)) throw new EmptyFile('no content')
    return { file: chosen }
  }
  const file = await withoutWorkbook(chosen)
  return { file, beginning: await readBeginning(file) }
}

function isJson({ name }: File): boolean {
  return /\.(ndjson|jsonl)$/i.test(name)
}

function send({ file, warehouseId }: Content, mode: Mode, dryRun: boolean, headers = {}) {
  return dataOf(
    api.POST('/api/external/v1/products/import', {
      params: { query: { dryRun, mode, ...(warehouseId === undefined ? {} : { warehouseId }) } },
      body: file as never,
      bodySerializer: (bytes) => bytes as unknown as BodyInit,
      headers: { 'content-type': isJson(file) ? 'application/x-ndjson' : 'text/csv', ...headers },
    }),
  )
}
