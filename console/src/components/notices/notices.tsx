import { useNotifications } from '@mantine/notifications'
import { lazy, Suspense, useState } from 'react'

const load = () => import('./shown-notices.tsx')
const ShownNotices = lazy(async () => ({ default: (await load()).ShownNotices }))

/** Loads the notices early, so that one can be shown even if the service is unavailable by then. */
export const fetchNotices = (): Promise<unknown> => load()

/** The place in the page for notices. Their component is loaded for the first one. */
export function Notices() {
  const { notifications } = useNotifications()
  const [isAsked, setIsAsked] = useState(false)
  if (notifications.length > 0 && !isAsked) setIsAsked(true)
  return (
    isAsked && (
      <Suspense>
        <ShownNotices />
      </Suspense>
    )
  )
}
