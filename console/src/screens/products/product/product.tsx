import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { queryClient } from '../../../api/query.ts'
import { ConfirmButton, useAction } from '../../../components/actions.tsx'
import { deselect } from '../../../components/lists/bulk/selection.ts'
import { Loaded, Page } from '../../../components/page.tsx'
import { WhenSeen } from '../../../components/when-seen.tsx'
import { useSession } from '../../../shell/session.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { productQuery } from '../product-queries.ts'
import { productTexts } from '../texts.ts'
import { ProductForm } from './product-form.tsx'

// Both are below the form, which is shown first.
const Stock = lazy(async () => ({ default: (await import('../stock/stock.tsx')).Stock }))
const History = lazy(async () => ({ default: (await import('../history/history.tsx')).History }))

export function ProductEditor() {
  const texts = useTexts(productTexts)
  const { canWrite } = useSession()
  const { productId } = useParams({ strict: false }) as { productId: string }
  const product = useQuery(productQuery(productId))
  return (
    <Page
      title={product.data?.name ?? texts.title}
      code={product.data?.itemSku}
      actions={product.data !== undefined && canWrite && <RetireButton id={productId} />}
    >
      <Loaded query={product}>
        {(found) => (
          <Stack>
            <ProductForm key={found._id} product={found} />
            <Suspense>
              <Stock product={found} />
            </Suspense>
            <WhenSeen minHeight={240}>
              <History productId={found._id} />
            </WhenSeen>
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}

function RetireButton({ id }: { id: string }) {
  const texts = useTexts(productTexts)
  const navigate = useNavigate()
  const retiring = useAction({
    run: () => dataOf(api.DELETE('/api/external/v1/products/{id}', { params: { path: { id } } })),
    stale: [],
    done: texts.retired,
    // Leaves the page first, because reading the retired product again would fail.
    onDone: async () => {
      deselect(id)
      await navigate({ to: '/products' })
      await queryClient.invalidateQueries({ queryKey: ['products'] })
    },
  })
  return (
    <ConfirmButton
      question={texts.retireQuestion}
      confirm={texts.retire}
      loading={retiring.isPending}
      onConfirm={() => retiring.mutate(undefined)}
    >
      {texts.retire}
    </ConfirmButton>
  )
}
