import { ActionIcon, Alert, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCamera } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { posTexts } from '../texts.ts'

const LOOK_EVERY_MS = 150
/** The same code again within this time is the same piece, still in front of the camera. */
const SAME_PIECE_MS = 1_500

type Detector = { detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]> }
type WithDetector = { BarcodeDetector?: new () => Detector }

/** Uses the device's camera as a scanner. Hidden if the browser cannot read barcodes or there is no camera. */
export function CameraButton({ onCode }: { onCode: (code: string) => void }) {
  const texts = useTexts(posTexts)
  const [isOpen, dialog] = useDisclosure()
  const { BarcodeDetector } = window as WithDetector
  if (BarcodeDetector === undefined || navigator.mediaDevices === undefined) return null
  return (
    <>
      <ActionIcon size={50} variant="default" aria-label={texts.camera} onClick={dialog.open}>
        <IconCamera size={24} aria-hidden />
      </ActionIcon>
      <Dialog opened={isOpen} onClose={dialog.close} title={texts.camera}>
        {isOpen && <Camera make={() => new BarcodeDetector()} onCode={onCode} />}
      </Dialog>
    </>
  )
}

/** The camera's picture. Each code that appears in it is reported once. */
function Camera({ make, onCode }: { make: () => Detector; onCode: (code: string) => void }) {
  const texts = useTexts(posTexts)
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
      <video
        ref={video}
        muted
        playsInline
        aria-label={texts.camera}
        style={{ width: '100%', borderRadius: 8 }}
      />
      <Text size="sm" c="dimmed" role="status">
        {last === '' ? texts.cameraHint : texts.seen(last)}
      </Text>
    </Stack>
  )
}
