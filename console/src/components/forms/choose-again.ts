import type { MouseEvent } from 'react'

/** Of the field that a file button hides: without, a browser says nothing when the same file is chosen again, corrected since. */
export const CHOOSE_AGAIN = {
  onClick(event: MouseEvent<HTMLInputElement>) {
    event.currentTarget.value = ''
  },
}
