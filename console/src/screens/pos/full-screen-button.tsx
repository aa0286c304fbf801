import { Button } from '@mantine/core'
import { useFullscreenDocument } from '@mantine/hooks'
import { IconMaximize, IconMinimize } from '@tabler/icons-react'
import { useTexts } from '../../texts/language.tsx'
import { posTexts } from './texts.ts'

/** Shows the counter on the full screen without the menu, and back. Hidden if the browser does not support it. */
export function FullScreenButton() {
  const texts = useTexts(posTexts)
  const { fullscreen, toggle } = useFullscreenDocument()
  if (!document.fullscreenEnabled) return null
  const Icon = fullscreen ? IconMinimize : IconMaximize
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Icon size={16} aria-hidden />}
      onClick={() => void toggle()}
    >
      {fullscreen ? texts.leaveFullScreen : texts.fullScreen}
    </Button>
  )
}
