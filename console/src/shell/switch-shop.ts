import { useNavigate } from '@tanstack/react-router'
import { shownLists } from '../components/back-link.tsx'
import { forgetTyped } from '../components/forms/kept-form.ts'
import { useMayLeave } from '../components/forms/leave-question.tsx'
import { useSession } from './session.tsx'

/**
 * Switches to another of the member's shops, unless the person prefers to keep unsaved input. From a record, which the
 * other shop does not have, it goes to the list of that kind.
 */
export function useSwitchShop(): (id: string) => Promise<void> {
  const { shop, chooseShop } = useSession()
  const mayLeave = useMayLeave()
  const navigate = useNavigate()
  return async (id) => {
    if (id === shop?._id || !(await mayLeave())) return
    const section = `/${location.pathname.split('/')[1]}`
    if (section !== '/operator' && section !== location.pathname) await navigate({ to: section })
    forgetTyped()
    shownLists.clear()
    chooseShop(id)
  }
}
