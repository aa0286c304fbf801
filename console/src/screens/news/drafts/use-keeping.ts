import { useEffect, useRef, useState } from 'react'
import { NotSaved, Problem } from '../../../api/problem.ts'
import { sentenceOf } from '../../../components/page.tsx'
import { formatTime } from '../../../format.ts'
import { common } from '../../../texts/common.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import type { ArticleValues } from '../article-values.ts'
import { type Draft, keepDraft } from './draft.ts'
import { draftTexts } from './draft-texts.ts'

/** How long after the last key the input is saved. */
const KEEP_AFTER_MS = 1_500
const TRY_AGAIN_MS = 15_000

/** Somebody else has changed the draft. The person is asked what to do when they save it themselves. */
class ChangedElsewhere extends Error {}

type State =
  | { is: 'idle' | 'keeping' | 'changed' }
  | { is: 'kept'; at: string }
  | { is: 'failed'; why: string }

/**
 * Saves the input as a draft automatically and without questions; a failed save is retried. A draft that waits to be
 * published is saved only by its person, because otherwise unfinished text could be published.
 */
export function useKeeping(options: {
  /** The values as they would be saved. */
  values: ArticleValues
  isOn: boolean
  isWaiting: boolean
  /** The stored values when the form opens. */
  start: ArticleValues
  write: (values: ArticleValues, send: typeof keepDraft) => Promise<Draft>
  onKept: (values: ArticleValues) => void
}) {
  const { values, isOn, isWaiting } = options
  const texts = useTexts(draftTexts)
  const { offline } = useTexts(common)
  const { language } = useLanguage()
  const [state, setState] = useState<State>({ is: 'idle' })
  const [stored, setStored] = useState(() => textOf(options.start))
  const [failures, setFailures] = useState(0)
  const turn = useRef<Promise<unknown>>(Promise.resolve())
  const isOver = useRef(false)
  const saves = useRef(0)
  const current = useRef({ ...options, stored })
  const text = textOf(values)
  useEffect(() => {
    current.current = { ...options, stored }
  })

  /** Runs saves one after the other: two at once would look like changes by two people. */
  function inTurn<T>(run: () => Promise<T>): Promise<T> {
    const next = turn.current.then(run, run)
    turn.current = next.catch(() => undefined)
    return next
  }
  /** Runs a save that the person asked for, in its turn. */
  function inTurnOfPerson<T>(run: () => Promise<T>): Promise<T> {
    return inTurn(async () => {
      const saved = await run()
      saves.current++
      return saved
    })
  }
  function kept(now: ArticleValues): void {
    setStored(textOf(now))
    setFailures(0)
    setState({ is: 'idle' })
  }

  const isDue = isOn && !isWaiting && state.is !== 'changed' && text !== stored
  // biome-ignore lint/correctness/useExhaustiveDependencies: each key restarts the wait
  useEffect(() => {
    if (!isDue) return
    const timer = setTimeout(
      () => {
        const savesBefore = saves.current
        void inTurn(async () => {
          const { values: now, write, onKept, isWaiting: waits, stored: known } = current.current
          // It was saved by the person meanwhile. That is not rendered yet if this waited for that save, so a time that the person
          // set would be removed again.
          if (saves.current !== savesBefore || waits || isOver.current || textOf(now) === known) return
          setState({ is: 'keeping' })
          const { updatedAt } = await write(now, keepUnlessChanged)
          onKept(now)
          setStored(textOf(now))
          setFailures(0)
          setState({ is: 'kept', at: updatedAt })
        }).catch((error: unknown) => {
          if (error instanceof NotSaved) return
          setFailures((times) => times + 1)
          setState(
            error instanceof ChangedElsewhere
              ? { is: 'changed' }
              : { is: 'failed', why: sentenceOf(error, offline) },
          )
        })
      },
      failures === 0 ? KEEP_AFTER_MS : TRY_AGAIN_MS,
    )
    return () => clearTimeout(timer)
  }, [text, stored, isDue, failures])

  const notes = {
    idle: '',
    keeping: texts.keeping,
    changed: texts.changedElsewhere,
    kept: state.is === 'kept' ? texts.keptAt(formatTime(state.at, language)) : '',
    failed: state.is === 'failed' ? texts.notKept(state.why) : '',
  }
  return {
    inTurn: inTurnOfPerson,
    kept,
    /** Continues after the person was asked about another change. */
    resume: () => setState({ is: 'idle' }),
    /** Ends saving, because the draft was published. */
    end: () => {
      isOver.current = true
    },
    note: notes[state.is],
  }
}

const textOf = (values: ArticleValues) => JSON.stringify({ ...values, publishAt: '' })

async function keepUnlessChanged(...args: Parameters<typeof keepDraft>): Promise<Draft> {
  return keepDraft(...args).catch((error: unknown) => {
    throw error instanceof Problem && error.changed !== undefined ? new ChangedElsewhere() : error
  })
}
