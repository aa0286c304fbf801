import { ME } from '../api/session.ts'
import { forgetUnsaved } from '../components/forms/leave-question.tsx'
import { PERSON } from './session.tsx'

/**
 * Loads the page again, without a question, once somebody else has signed in in another tab: what it shows belongs to the
 * person before, and it would be sent as the other one's. The copies of that person's open sales stay, because nobody
 * was asked about them.
 */
export function watchForOther(): void {
  window.addEventListener('storage', ({ key }) => key === ME && leaveToOther())
  leaveToOther()
}

function leaveToOther(): void {
  const signedIn = localStorage.getItem(ME)
  const own = sessionStorage.getItem(PERSON)
  if (signedIn === null || own === null || JSON.parse(signedIn).user._id === own) return
  sessionStorage.clear()
  forgetUnsaved()
  location.reload()
}
