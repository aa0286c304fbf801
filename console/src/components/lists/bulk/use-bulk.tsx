import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { isLost } from '../../../api/outcome.ts'
import { formatNumber } from '../../../format.ts'
import { common } from '../../../texts/common.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { Dialog } from '../../dialogs/dialog.tsx'
import { sentenceOf } from '../../page.tsx'
import classes from './bulk.module.css'
import { bulkTexts } from './bulk-texts.ts'
import { type BulkResult, HalfDone, RowProblem, runBulk } from './run-bulk.ts'
import type { Selection } from './selection.ts'

export type Job<R> = {
  title: string
  act: (row: R) => Promise<unknown>
  stale: QueryKey[]
  /** Repeating the action would do more than doing it once, so rows that may have been processed are deselected. */
  isOnce?: boolean
  /** The action changes nothing, so the rows stay selected. */
  isReading?: boolean
  /** Takes the action back for a processed row. Offered for some seconds after the end, while the list is open, or with the result. */
  undo?: (row: R) => Promise<unknown>
  /** Called with the processed rows after all have ended. */
  onEnd?: (done: readonly R[]) => void
}

/** How long taking back is offered. */
const UNDO_MS = 12_000

type Running<R> = { job: Job<R>; all: number; ended: number; isStopping: boolean; result?: BulkResult<R> }

/**
 * Runs an action for every selected row. A dialog shows the progress, can stop it, and afterwards names each refused
 * row with the reason. Rows that were refused or not started stay selected.
 */
export function useBulk<R>(selection: Selection<R>): { start: (job: Job<R>) => void; dialog: ReactNode } {
  const texts = useTexts(bulkTexts)
  const { language } = useLanguage()
  const client = useQueryClient()
  const isStopped = useRef(false)
  const [running, setRunning] = useState<Running<R>>()
  const count = (value: number) => formatNumber(value, language)

  /** Runs a job for the selected rows, or for those for which another one is taken back. */
  async function start(job: Job<R>, undone?: readonly R[]) {
    const rows = undone ?? selection.rows
    const keepsSelection = job.isReading === true || undone !== undefined
    isStopped.current = false
    // Rows in progress are not selected any more for a person who leaves the list and returns.
    if (!keepsSelection) selection.forget()
    setRunning({ job, all: rows.length, ended: 0, isStopping: false })
    const result = await runBulk(rows, job.act, {
      isStopped: () => isStopped.current,
      isAway: (error) => isLost(error) && !(error instanceof RowProblem),
      onProgress: (ended) => setRunning((now) => now && { ...now, ended }),
    })
    for (const queryKey of job.stale) void client.invalidateQueries({ queryKey })
    const again = result.refused.filter(
      ({ error }) => !(error instanceof HalfDone) && !(job.isOnce === true && isLost(error)),
    )
    if (!keepsSelection) selection.keep([...again.map(({ row }) => row), ...result.left])
    job.onEnd?.(result.done)
    if (result.refused.length === 0 && result.left.length === 0) {
      setRunning(undefined)
      tellDone(job, result.done)
    } else setRunning((now) => now && { ...now, result })
  }

  /** A function that takes a job back for the rows for which it was done. */
  function undoOf({ undo, stale, title }: Job<R>, done: readonly R[]): (() => void) | undefined {
    if (undo === undefined || done.length === 0) return undefined
    return () => void start({ title: texts.undoing(title), act: undo, stale }, done)
  }

  // Who has left the list would not see what became of taking it back.
  const offered = useRef<string>(undefined)
  useEffect(() => () => void (offered.current && notifications.hide(offered.current)), [])

  function tellDone(job: Job<R>, done: readonly R[]) {
    const message = texts.done(count(done.length))
    const undo = undoOf(job, done)
    if (undo === undefined) {
      notifications.show({ color: 'teal', message })
      return
    }
    const id = notifications.show({
      color: 'teal',
      autoClose: UNDO_MS,
      message: (
        <Group justify="space-between" wrap="nowrap">
          {message}
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => {
              notifications.hide(id)
              undo()
            }}
          >
            {texts.undo}
          </Button>
        </Group>
      ),
    })
    offered.current = id
  }

  const dialog = running !== undefined && (
    <Dialog
      opened
      onClose={() => running.result !== undefined && setRunning(undefined)}
      withCloseButton={running.result !== undefined}
      title={running.job.title}
      className="no-print"
    >
      {running.result === undefined ? (
        <Stack>
          <Progress
            value={(100 * running.ended) / running.all}
            aria-label={running.job.title}
            transitionDuration={120}
          />
          <Text size="sm" role="status">
            {texts.progress(count(running.ended), count(running.all))}
          </Text>
          <Group justify="flex-end">
            <Button
              variant="default"
              disabled={running.isStopping}
              onClick={() => {
                isStopped.current = true
                setRunning({ ...running, isStopping: true })
              }}
            >
              {running.isStopping ? texts.stopping : texts.stop}
            </Button>
          </Group>
        </Stack>
      ) : (
        <Result
          result={running.result}
          nameOf={selection.nameOf}
          onUndo={undoOf(running.job, running.result.done)}
          onClose={() => setRunning(undefined)}
        />
      )}
    </Dialog>
  )
  return { start: (job) => void start(job), dialog }
}

function Result<R>(props: {
  result: BulkResult<R>
  nameOf: (row: R) => string
  onUndo: (() => void) | undefined
  onClose: () => void
}) {
  const texts = useTexts(bulkTexts)
  const words = useTexts(common)
  const { language } = useLanguage()
  const { done, refused, left } = props.result
  const count = (rows: readonly unknown[]) => formatNumber(rows.length, language)
  function reasonOf(error: unknown): string {
    if (error instanceof RowProblem) return error.message
    return isLost(error) ? texts.unsure : sentenceOf(error, words.offline)
  }
  return (
    <Stack>
      {done.length > 0 && <Text role="status">{texts.done(count(done))}.</Text>}
      {refused.length > 0 && (
        <Alert color="red" title={texts.refused(count(refused))} role="alert">
          <ul className={classes.refused}>
            {refused.map(({ row, error }) => (
              <li key={props.nameOf(row)}>
                <b>{props.nameOf(row)}</b>: {reasonOf(error)}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      {left.length > 0 && <Text>{texts.left(count(left))}.</Text>}
      <Group justify="flex-end">
        {props.onUndo !== undefined && (
          <Button variant="default" onClick={props.onUndo}>
            {texts.undo}
          </Button>
        )}
        <Button onClick={props.onClose}>{words.close}</Button>
      </Group>
    </Stack>
  )
}
