import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Card } from '../../../components/page.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { type Order, returnsQuery } from '../order-queries.ts'
import { orderTexts } from '../texts.ts'

const ReturnList = lazy(async () => ({ default: (await import('./return-list.tsx')).ReturnList }))

/** What came back of an order; nothing if nothing did. */
export function ReturnedGoods({ order }: { order: Order }) {
  const texts = useTexts(orderTexts)
  const { data } = useQuery(returnsQuery(order))
  if (data === undefined || data.returns.length === 0) return null
  return (
    <Suspense>
      <Card title={texts.returnedGoods}>
        <ReturnList returns={data} />
      </Card>
    </Suspense>
  )
}
