import { useLocalStorage } from '@mantine/hooks'
import { useSession } from '../../../shell/session.tsx'

export const PAPERS = ['58', '80', 'a5'] as const
export type Paper = (typeof PAPERS)[number]

/** The paper of this device's printer: the one chosen on this device, otherwise the shop's. */
export function usePaper(): [Paper, (paper: Paper) => void] {
  const { shop } = useSession()
  const [own, choose] = useLocalStorage<Paper | ''>({
    key: 'shopbell.paper',
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  return [own || (shop?.profile.printPaper ?? '80'), choose]
}
