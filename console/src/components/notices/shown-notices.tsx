import { Notifications } from '@mantine/notifications'

/** Shows the notices so far, and each that follows. */
export function ShownNotices() {
  return <Notifications position="bottom-left" limit={3} zIndex={400} />
}
