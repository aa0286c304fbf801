import { Stack, Text } from '@mantine/core'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Sellable } from '../pos/sale.ts'
import { CameraButton } from '../pos/scan/camera-button.tsx'
import { FailedScans } from '../pos/scan/failed-scans.tsx'
import { ScanInput } from '../pos/scan/scan-input.tsx'
import { signal } from '../pos/scan/signal.ts'
import { useScans } from '../pos/scan/use-scans.ts'
import { useStrayScan } from '../pos/scan/use-stray-scan.ts'
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
  /** Called with whether something scanned has not been found yet. */
  onLookingUp: (isLookingUp: boolean) => void
}) {
  const { shopId, disabled, onFound, onLookingUp } = props
  const scan = useRef<HTMLInputElement>(null)
  const [notice, setNotice] = useState('')
  const add = useCallback(
    (sellable: Sellable, quantity: number) => {
      const said = onFound(sellable, quantity)
      setNotice(said ?? '')
      signal(said === undefined ? 'unknown' : 'found')
    },
    [onFound],
  )
  const forget = useCallback(() => setNotice(''), [])
  const scans = useScans({ shopId, forStock: true, field: scan, onFound: add, onFailed: forget })
  const { lookUp, isLookingUp } = scans
  useEffect(() => onLookingUp(isLookingUp), [onLookingUp, isLookingUp])
  const take = useCallback((code: string) => void (disabled || lookUp(code)), [disabled, lookUp])
  useStrayScan(scan, take)
  return (
    <Stack gap="xs">
      <div className={classes.scan}>
        <ScanInput
          shopId={shopId}
          forStock
          input={scan}
          disabled={disabled}
          scans={scans}
          onFound={add}
          onIdleKey={() => undefined}
        />
        {!disabled && <CameraButton onCode={take} />}
      </div>
      <Text size="sm" c="dimmed" aria-live="polite">
        {notice === '' ? props.hint : notice}
      </Text>
      <FailedScans
        scans={scans.failed}
        onRetry={(one) => disabled || scans.retry(one)}
        onDismiss={scans.dismiss}
      />
    </Stack>
  )
}
