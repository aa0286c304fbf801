import { Stack, Text } from '@mantine/core'
import { useCallback, useRef, useState } from 'react'
import { useTexts } from '../../texts/language.tsx'
import type { Sellable } from '../pos/sale.ts'
import { CameraButton } from '../pos/scan/camera-scan.tsx'
import { type FailedScan, FailedScans } from '../pos/scan/failed-scans.tsx'
import { findSellables } from '../pos/scan/find-sellables.ts'
import { readScan, ScanInput } from '../pos/scan/scan-input.tsx'
import { signal } from '../pos/scan/signal.ts'
import { useStrayScan } from '../pos/scan/use-stray-scan.ts'
import { posTexts } from '../pos/texts.ts'
import classes from './note.module.css'

/**
 * The counter's scan field for a note. A code goes there wherever the focus is, and codes that were not found stay to
 * be retried. `onFound` returns the text to announce; undefined if the code was not added.
 */
export function ScanGoods(props: {
  shopId: string
  disabled: boolean
  hint: string
  onFound: (sellable: Sellable, quantity: number) => string | undefined
}) {
  const texts = useTexts(posTexts)
  const { shopId, disabled, onFound } = props
  const scan = useRef<HTMLInputElement>(null)
  const [notice, setNotice] = useState('')
  const [failed, setFailed] = useState<FailedScan[]>([])
  const scanNumber = useRef(0)
  const add = useCallback(
    (sellable: Sellable, quantity: number) => {
      const said = onFound(sellable, quantity)
      setNotice(said ?? '')
      signal(said === undefined ? 'unknown' : 'found')
    },
    [onFound],
  )
  const fail = useCallback((text: string, why: string) => {
    setNotice('')
    scanNumber.current += 1
    setFailed((scans) => [{ id: scanNumber.current, text, why }, ...scans])
    signal('unknown')
  }, [])
  const take = useCallback(
    (code: string) => {
      if (disabled) return
      const { quantity, wanted } = readScan(code)
      findSellables(shopId, wanted)
        .then((found) => (found.length === 1 ? add(found[0]!, quantity) : fail(code, texts.notFound(wanted))))
        .catch((error) => fail(code, String((error as Error).message)))
    },
    [shopId, disabled, add, fail, texts],
  )
  useStrayScan(scan, take)
  const dismiss = ({ id }: FailedScan) => setFailed((scans) => scans.filter((one) => one.id !== id))
  return (
    <Stack gap="xs">
      <div className={classes.scan}>
        <ScanInput
          shopId={shopId}
          input={scan}
          disabled={disabled}
          onFound={add}
          onNotFound={(text) => fail(text, texts.notFound(readScan(text).wanted))}
          onProblem={(error, text) => fail(text, String((error as Error).message))}
          onIdleKey={() => undefined}
        />
        {!disabled && <CameraButton onCode={take} />}
      </div>
      <Text size="sm" c="dimmed" aria-live="polite">
        {notice === '' ? props.hint : notice}
      </Text>
      <FailedScans
        scans={failed}
        onRetry={(failure) => {
          dismiss(failure)
          take(failure.text)
          scan.current?.focus()
        }}
        onDismiss={dismiss}
      />
    </Stack>
  )
}
