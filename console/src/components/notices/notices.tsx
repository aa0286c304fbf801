import { useNotifications } from '@mantine/notifications'
import { lazy, Suspense, useState } from 'react'

const load = () => import('./shown-notices.tsx')
const ShownNotices = lazy(async () => ({ default: (await load()).ShownNotices }))

/** So that a notice is shown also where the service is away by then. */
export const fetchNotices = (): Promise<unknown> => load()

/** Where notices are shown; what shows them is fetched for the first one. */
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
