import { useNavigate } from '@tanstack/react-router'
import { forgetTyped } from '../components/forms/kept-form.ts'
import { useMayLeave } from '../components/forms/leave-question.tsx'
import { useSession } from './session.tsx'

/**
 * Puts another of the member's shops in front, unless somebody would rather keep what is typed. From a record, which the
 * other shop does not have, to the list of its kind.
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
    chooseShop(id)
  }
}
