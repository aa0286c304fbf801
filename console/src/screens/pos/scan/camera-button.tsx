import { ActionIcon } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCamera } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { posTexts } from '../texts.ts'
import type { Detector } from './camera.tsx'

const Camera = lazy(async () => ({ default: (await import('./camera.tsx')).Camera }))

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
        {isOpen && (
          <Suspense>
            <Camera make={() => new BarcodeDetector()} onCode={onCode} />
          </Suspense>
        )}
      </Dialog>
    </>
  )
}
