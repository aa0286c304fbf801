import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useSession } from '../../shell/session.tsx'

/** The settings of the shop in use, as its owner reads them. */
export function useShop() {
  const id = useSession().shop!._id
  return useQuery({
    queryKey: ['shop'],
    queryFn: () => dataOf(api.GET('/api/manage/v1/shops/{id}', { params: { path: { id } } })),
  })
}
