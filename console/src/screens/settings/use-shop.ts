import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useSession } from '../../shell/session.tsx'

/** The settings of the current shop, as its owner may read them. */
export function useShop() {
  const id = useSession().shop!._id
  return useQuery({
    queryKey: ['shop'],
    queryFn: () => dataOf(api.GET('/api/manage/v1/shops/{id}', { params: { path: { id } } })),
  })
}
