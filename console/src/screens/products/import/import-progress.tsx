import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { queryClient } from '../../../api/query.ts'
import { useAction } from '../../../components/actions.tsx'
import { saveFile } from '../../../components/download.ts'
import { DataTable } from '../../../components/lists/data-table.tsx'
import { Card, Loaded } from '../../../components/page.tsx'
import { parseCsv, writeCsv } from '../../../csv.ts'
import { formatNumber } from '../../../format.ts'
import { type FieldProblem, ownProblem } from '../../../texts/field-problem.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { columnLabel, importTexts } from './import-texts.ts'

const ASK_AGAIN_MS = 700
const SHOWN_ERRORS = 50
const FINAL = ['done', 'failed', 'cancelled']

const OF_PRODUCTS = ['created', 'updated', 'unchanged', 'failed'] as const
/** Shown only if the file has some. */
const OF_STOCK = ['stocked', 'stockKept'] as const

export type Counts = Record<(typeof OF_PRODUCTS | typeof OF_STOCK)[number], number>

/** The progress and result of a check or an import. After its end, `next` renders the actions, `help` how to fix the errors. */
export function ImportProgress(
  props: Source & {
    id: string
    next?: (counts: Counts) => ReactNode
    help?: (errors: ImportError[]) => ReactNode
  },
) {
  const { id, next, help, ...source } = props
  const texts = useTexts(importTexts)
  const { language } = useLanguage()
  const progress = useQuery({
    queryKey: ['imports', id],
    queryFn: async () =>
      (await dataOf(api.GET('/api/external/v1/products/imports/{id}', { params: { path: { id } } }))).data,
    refetchInterval: ({ state }) =>
      state.data !== undefined && FINAL.includes(state.data.status) ? false : ASK_AGAIN_MS,
  })
  const status = progress.data?.status
  const isWritten = status === 'done' && progress.data?.dryRun === false
  useEffect(() => {
    if (isWritten) void queryClient.invalidateQueries()
  }, [isWritten])
  const cancelling = useAction({
    run: () =>
      dataOf(api.POST('/api/external/v1/products/imports/{id}/cancel', { params: { path: { id } } })),
    stale: [['imports', id]],
  })

  return (
    <Card title={progress.data?.dryRun === false ? texts.importing : texts.checking}>
      <Loaded query={progress}>
        {(found) => (
          <Stack>
            <Progress
              aria-label={texts.progress}
              value={found.status === 'done' ? 100 : percent(found.done, found.total)}
              animated={!FINAL.includes(found.status)}
              color={found.status === 'failed' ? 'red' : undefined}
            />
            <Group justify="space-between">
              <Text role="status">{texts.statuses[found.status]}</Text>
              <Text size="sm" c="dimmed">
                {formatNumber(found.done, language)} / {formatNumber(found.total ?? 0, language)}
              </Text>
            </Group>
            {found.reason !== null && <Alert color="red">{found.reason}</Alert>}
            <Group gap="xl">
              {[...OF_PRODUCTS, ...OF_STOCK.filter((name) => found[name] > 0)].map((name) => (
                <div key={name}>
                  <Text size="sm" c="dimmed">
                    {texts.counts[name]}
                  </Text>
                  <Text fw={600} size="lg">
                    {formatNumber(found[name], language)}
                  </Text>
                </div>
              ))}
            </Group>
            {found.status === 'done' && help?.(found.errors)}
            {found.errors.length > 0 && (
              <Errors id={id} errors={found.errors} count={found.errorCount} source={source} />
            )}
            <Group justify="flex-end">
              {!FINAL.includes(found.status) && (
                <Button
                  variant="default"
                  loading={cancelling.isPending}
                  onClick={() => cancelling.mutate(undefined)}
                >
                  {texts.cancel}
                </Button>
              )}
              {found.status === 'done' && next?.(found)}
            </Group>
          </Stack>
        )}
      </Loaded>
    </Card>
  )
}

function percent(done: number, total: number | null): number {
  return total === null || total === 0 ? 0 : (done / total) * 100
}

export type ImportError = {
  line: number
  column: string
  message: string
  rule?: FieldProblem['rule']
  values?: FieldProblem['values']
}

/** The text of the person's file behind what was sent. */
type Source = {
  /** The name of a column of the service in the file; undefined if the file does not have it. */
  headingFor: (column: string) => string | undefined
  /** The authors of JSON know the service's names. */
  isJson: boolean
  /** How many columns more the person's file has than what was sent, or fewer. */
  moreColumns: number
}

/** How errors are worded: columns as in the person's file or on the screen, in the reader's language. */
function useErrorTexts({ headingFor, isJson, moreColumns }: Source) {
  const texts = useTexts(importTexts)
  const { language } = useLanguage()
  const columnOf = (column: string) => headingFor(column) ?? (isJson ? column : columnLabel(column, texts))
  const named = (sentence: string) => sentence.replace(/"(\w+)"/g, (_, name) => `"${columnOf(name)}"`)

  /** A refusal of the shop is in the language of the person who imported. */
  function messageOf({ column, message, rule, values }: ImportError): string {
    if (rule === undefined || values === undefined) return message
    if (rule === 'line.cellCount')
      return texts.cellCount(Number(values.cells) + moreColumns, Number(values.columns) + moreColumns)
    if (rule === 'any.only' && column === 'status' && headingFor(column) !== column && !isJson)
      return texts.wrongStatus
    // The column is named beside it.
    return named(ownProblem({ key: column, message, rule, values }, language))
  }
  return { columnOf, messageOf }
}

function Errors(props: { id: string; errors: ImportError[]; count: number; source: Source }) {
  const { id, errors, count, source } = props
  const texts = useTexts(importTexts)
  const { language } = useLanguage()
  const { columnOf, messageOf } = useErrorTexts(source)
  const downloading = useAction({
    run: () =>
      dataOf(
        api.GET('/api/external/v1/products/imports/{id}/errors', {
          params: { path: { id } },
          parseAs: 'blob',
        }),
      ),
    stale: [],
    async onDone(content) {
      const [, ...rows] = parseCsv(await (content as unknown as Blob).text())
      saveFile(
        new Blob([writeCsv([[texts.line, texts.column, texts.message], ...rows.map(worded)])]),
        texts.errorsName,
      )
    },
  })
  const shown = new Map(errors.map((error) => [keyOf(error), error]))

  /** The file of all errors has only the service's English sentences; the first 1,000 are worded like those shown. */
  function worded([line = '', column = '', message = '']: string[]): string[] {
    const error = shown.get(keyOf({ line: Number(line), column, message }))
    const name = columnOf(column)
    return [line, name, error === undefined ? message.replace(/^"\w+"/, `"${name}"`) : messageOf(error)]
  }
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text fw={600}>{texts.errors(formatNumber(count, language))}</Text>
        <Button
          size="xs"
          variant="default"
          loading={downloading.isPending}
          onClick={() => downloading.mutate(undefined)}
        >
          {texts.downloadErrors}
        </Button>
      </Group>
      <DataTable
        columns={[
          { title: texts.line, isNumber: true, width: 80, cell: ({ line }) => line },
          { title: texts.column, cell: ({ column }) => columnOf(column) },
          { title: texts.message, cell: messageOf },
        ]}
        rows={errors.slice(0, SHOWN_ERRORS)}
        keyOf={keyOf}
      />
      {count > SHOWN_ERRORS && (
        <Text size="sm" c="dimmed">
          {texts.moreErrors(formatNumber(count - SHOWN_ERRORS, language))}
        </Text>
      )}
    </Stack>
  )
}

function keyOf({ line, column, message }: Pick<ImportError, 'line' | 'column' | 'message'>): string {
  return `${line} ${column} ${message}`
}
