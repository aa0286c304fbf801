import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { Card, Loaded } from '../../components/page.tsx'
import { useSession } from '../../shell/session.tsx'
import { ShopForm } from './shop-form.tsx'

export function ShopSettings() {
  const id = useSession().shop!._id
  const shop = useQuery({
    queryKey: ['shop'],
    queryFn: () => dataOf(api.GET('/api/manage/v1/shops/{id}', { params: { path: { id } } })),
  })
  return (
    <Card>
      <Loaded query={shop}>{({ data }) => <ShopForm shop={data.shop} />}</Loaded>
    </Card>
  )
}
