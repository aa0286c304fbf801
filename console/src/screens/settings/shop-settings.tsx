import { Card, Loaded } from '../../components/page.tsx'
import { ShopForm } from './shop-form.tsx'
import { useShop } from './use-shop.ts'

export function ShopSettings() {
  const shop = useShop()
  return (
    <Card isForm>
      <Loaded query={shop}>{({ data }) => <ShopForm shop={data.shop} />}</Loaded>
    </Card>
  )
}
