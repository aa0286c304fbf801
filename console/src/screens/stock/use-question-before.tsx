import { Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { ask } from '../../components/dialogs/questions.tsx'
import { formatNumber } from '../../format.ts'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import type { Kind, Line } from './note.ts'
import type { PreviewItem } from './note-queries.ts'
import { stockTexts } from './texts.ts'

/** A quantity from which a code was likely scanned into its field, or a digit typed twice. */
const UNLIKELY_PIECES = 100_000

/**
 * Books at once unless something is to be asked first: a count that changes the stock, because a second count is the only
 * way back, and goods received in a quantity that is likely a mistake. The question is withdrawn when the note's `lines` change or
 * a scan may change them: its answer would book what it was asked about, and lose the scan.
 */
export function useQuestionBefore(kind: Kind, noteLines: Line[], isLookingUp: boolean) {
  const texts = useTexts(stockTexts)
  const { confirmTitle } = useTexts(common)
  const { language } = useLanguage()
  const number = (count: number) => formatNumber(count, language)
  const close = useRef<() => void>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what withdraws the question
  useEffect(() => () => close.current?.(), [noteLines, isLookingUp])

  function questionOf(lines: Line[], shown: ReadonlyMap<string, PreviewItem>): string | undefined {
    if (kind === 'count') {
      const differences = lines.map(({ skuId, quantity }) => (quantity ?? 0) - (shown.get(skuId)?.stock ?? 0))
      const fewer = differences.filter((pieces) => pieces < 0)
      const more = differences.filter((pieces) => pieces > 0)
      const parts = [
        ...(fewer.length > 0 ? [texts.itemsFewer(number(fewer.length), number(-sumOf(fewer)))] : []),
        ...(more.length > 0 ? [texts.itemsMore(number(more.length), number(sumOf(more)))] : []),
      ]
      return parts.length === 0 ? undefined : texts.countQuestion(parts.join(', '))
    }
    const large = lines.filter(({ quantity }) => kind === 'receive' && (quantity ?? 0) >= UNLIKELY_PIECES)
    if (large.length === 0) return undefined
    const named = large.map(({ name, quantity }) => texts.largeQuantity(name, number(quantity ?? 0)))
    return [...named, texts.receiveQuestion].join(' ')
  }

  return (lines: Line[], shown: ReadonlyMap<string, PreviewItem>, book: () => void) => {
    const question = questionOf(lines, shown)
    if (question === undefined) return book()
    close.current = ask({
      title: confirmTitle,
      children: <Text size="sm">{question}</Text>,
      labels: {
        confirm: texts.kinds[kind].book,
        cancel: kind === 'count' ? texts.countAgain : texts.correct,
      },
      onConfirm: book,
    })
  }
}

const sumOf = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0)
