import { Alert, Stack, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTexts } from '../../../texts/language.tsx'
import { posTexts } from '../texts.ts'
import { cameraTexts } from './camera-texts.ts'

const LOOK_EVERY_MS = 150
/** The same code again within this time is the same piece, still in front of the camera. */
const SAME_PIECE_MS = 1_500

export type Detector = { detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]> }

/** The camera's picture. Each code that appears in it is reported once. */
export function Camera({ make, onCode }: { make: () => Detector; onCode: (code: string) => void }) {
  const texts = useTexts(cameraTexts)
  const { camera } = useTexts(posTexts)
  const video = useRef<HTMLVideoElement>(null)
  const [isRefused, setRefused] = useState(false)
  const [last, setLast] = useState('')
  const take = useEffectEvent((code: string) => {
    setLast(code)
    onCode(code)
  })
  const begin = useEffectEvent(make)
  useEffect(() => {
    let isOver = false
    let stream: MediaStream | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const seen = { code: '', atMs: 0 }
    async function look(detector: Detector): Promise<void> {
      const [found] = await detector.detect(video.current!).catch(() => [])
      if (isOver) return
      if (found !== undefined) {
        const isAnother = found.rawValue !== seen.code || Date.now() - seen.atMs > SAME_PIECE_MS
        Object.assign(seen, { code: found.rawValue, atMs: Date.now() })
        if (isAnother) take(found.rawValue)
      }
      timer = setTimeout(() => void look(detector), LOOK_EVERY_MS)
    }
    async function start(): Promise<void> {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
      if (isOver) return end()
      video.current!.srcObject = stream
      await video.current!.play()
      await look(begin())
    }
    function end(): void {
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    start().catch(() => isOver || setRefused(true))
    return () => {
      isOver = true
      clearTimeout(timer)
      end()
    }
  }, [])
  return (
    <Stack gap="xs">
      {isRefused && <Alert color="yellow">{texts.noCamera}</Alert>}
      <video ref={video} muted playsInline aria-label={camera} style={{ width: '100%', borderRadius: 8 }} />
      <Text size="sm" c="dimmed" role="status">
        {last === '' ? texts.cameraHint : texts.seen(last)}
      </Text>
    </Stack>
  )
}
