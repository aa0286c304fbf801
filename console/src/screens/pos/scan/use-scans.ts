import { type RefObject, useCallback, useRef, useState } from 'react'
import { useTexts } from '../../../texts/language.tsx'
import type { Sellable } from '../sale.ts'
import { posTexts } from '../texts.ts'
import type { FailedScan } from './failed-scans.tsx'
import { findSellables } from './find-sellables.ts'
import { signal } from './signal.ts'

/** A scan that matches several SKUs: a person chooses. */
export type Question = { text: string; sellables: Sellable[] }

/** Named in the text `tooMany`. */
const MOST_PIECES = 9_999

/** Splits `3*8938…` into the quantity and the code. With `isTooMany`, the quantity is above the limit and nothing is wanted. */
export function readScan(text: string): { quantity: number; wanted: string; isTooMany: boolean } {
  const [, count = 1, wanted = text.trim()] = /^(\d+)\s*\*\s*(.*)$/.exec(text.trim()) ?? []
  const quantity = Math.max(1, Number(count))
  const isTooMany = quantity > MOST_PIECES
  return { quantity, wanted: isTooMany ? '' : wanted, isTooMany }
}

/**
 * Looks up what is scanned, wherever it comes from. A scan that matches several SKUs becomes the open question only if
 * the scan field is empty and no other question is open; otherwise the Enter of the next scan would answer it. Each scan
 * that led to no line is in `failed`, also one whose question was left unanswered. `sale`: the one that takes a scan now;
 * `forStock`: as {@link findSellables}.
 */
export function useScans(props: {
  shopId: string
  forStock?: boolean
  sale?: string | undefined
  field: RefObject<HTMLInputElement | null>
  onFound: (sellable: Sellable, quantity: number) => void
  onFailed: () => void
}) {
  const texts = useTexts(posTexts)
  const { shopId, forStock = false, sale, field, onFound, onFailed } = props
  const [failed, setFailed] = useState<FailedScan[]>([])
  const [question, setQuestion] = useState<Question>()
  /** The same, for a result that arrives before the next rendering. */
  const open = useRef<Question>(undefined)
  const ask = useCallback((next: Question | undefined) => {
    open.current = next
    setQuestion(next)
  }, [])
  const [lookUps, setLookUps] = useState(0)
  const scanNumber = useRef(0)
  const fail = useCallback(
    (text: string, why: string) => {
      scanNumber.current += 1
      setFailed((scans) => [{ id: scanNumber.current, text, why, sale }, ...scans])
      signal('unknown')
      onFailed()
    },
    [onFailed, sale],
  )
  const dismiss = ({ id }: FailedScan) => setFailed((scans) => scans.filter((one) => one.id !== id))

  const lookUp = useCallback(
    async (text: string) => {
      const { quantity, wanted, isTooMany } = readScan(text)
      if (isTooMany) return fail(text, texts.tooMany)
      setLookUps((count) => count + 1)
      try {
        const sellables = await findSellables(shopId, wanted, forStock)
        if (sellables.length === 1) {
          onFound(sellables[0]!, quantity)
        } else if (sellables.length === 0) {
          fail(text, texts.notFound(wanted))
        } else if (field.current?.value === '' && open.current === undefined) {
          ask({ text, sellables })
          signal('unknown')
        } else {
          fail(text, texts.notChosen)
        }
      } catch (error) {
        fail(text, String((error as Error).message))
      } finally {
        setLookUps((count) => count - 1)
      }
    },
    [shopId, forStock, field, onFound, fail, ask, texts],
  )

  return {
    question,
    failed,
    /** Whether a scan has neither a line nor a reason yet. */
    isLookingUp: lookUps > 0,
    lookUp,
    dismiss,
    /** Removes the scans that failed in a sale that has ended. */
    forget: (ended: string) => setFailed((scans) => scans.filter((one) => one.sale !== ended)),
    retry(scan: FailedScan) {
      dismiss(scan)
      void lookUp(scan.text)
      field.current?.focus()
    },
    /** The question was dismissed. */
    close: () => ask(undefined),
    /** A text was entered. One that begins like the question’s answers it, or is a more precise search for the same. */
    moveOn(text: string) {
      const left = open.current
      ask(undefined)
      if (left !== undefined && !text.startsWith(left.text)) fail(left.text, texts.notChosen)
    },
  }
}
