import type { MouseEvent } from 'react'

/**
 * For the input that a file button hides. Without this, browsers report nothing when the same file is chosen again
 * after it was corrected.
 */
export const CHOOSE_AGAIN = {
  onClick(event: MouseEvent<HTMLInputElement>) {
    event.currentTarget.value = ''
  },
}
