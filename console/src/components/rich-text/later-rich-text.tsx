import { Button, Typography } from '@mantine/core'
import { type PointerEvent, useCallback, useEffect, useState } from 'react'
import { idle } from '../../later.ts'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import classes from './rich-text.module.css'
import type { RichText, RichTextProps, Start } from './rich-text.tsx'
import { shownHtml } from './shown-html.tsx'
import { richTexts } from './texts.ts'

let loaded: typeof RichText | undefined

/**
 * The rich text editor. Its code is as large as the rest of a screen, so it is fetched when somebody uses the field or the browser
 * is idle. Until then the text is shown as the editor will show it, so that nothing below moves.
 */
export function LaterRichText(props: Omit<RichTextProps, 'start'>) {
  const [Loaded, setLoaded] = useState(() => loaded)
  const [start, setStart] = useState<Start>()
  const [isAsked, setIsAsked] = useState(false)

  const fetchEditor = useCallback(async () => {
    loaded ??= (await import('./rich-text.tsx')).RichText
    setLoaded(() => loaded)
  }, [])
  useEffect(() => {
    idle()
      .then(fetchEditor)
      .catch(() => undefined)
  }, [fetchEditor])

  if (Loaded !== undefined) return <Loaded {...props} start={start} />
  return (
    <Unready
      {...props}
      isAsked={isAsked}
      onStart={(place) => {
        setStart(place)
        setIsAsked(true)
        // The next press tries again.
        fetchEditor().catch(() => setIsAsked(false))
      }}
    />
  )
}

function Unready(props: {
  value: string
  minHeightPx: number
  isRefused: boolean
  isAsked: boolean
  onStart: (place: Start) => void
}) {
  const texts = useTexts(richTexts)
  const { canWrite } = useSession()
  const { isAsked, onStart } = props
  const begin = ({ clientX, clientY }: PointerEvent) => onStart({ left: clientX, top: clientY })
  return (
    <div
      className={classes.unready}
      data-unready
      aria-busy={isAsked}
      onPointerDown={canWrite ? begin : undefined}
    >
      {canWrite && (
        <div className={classes.bar}>
          <Button
            size="compact-sm"
            variant="subtle"
            loading={isAsked}
            data-refused={props.isRefused || undefined}
            onFocus={() => onStart('end')}
          >
            {texts.write}
          </Button>
        </div>
      )}
      <Typography className={classes.text}>
        <div style={{ minHeight: props.minHeightPx }}>
          <div className={classes.shown}>{shownHtml(props.value)}</div>
        </div>
      </Typography>
    </div>
  )
}
