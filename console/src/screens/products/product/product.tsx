import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { queryClient } from '../../../api/query.ts'
import { ConfirmButton, useAction } from '../../../components/actions.tsx'
import { Loaded, Page } from '../../../components/page.tsx'
import { useSession } from '../../../shell/session.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { SubItems } from '../extras/sub-items.tsx'
import { type Product, productQuery } from '../product-queries.ts'
import { Stock } from '../stock/stock.tsx'
import { productTexts } from '../texts.ts'
import { Tiers } from '../variants/tiers.tsx'
import { Variants } from '../variants/variants.tsx'
import { ProductForm } from './product-form.tsx'

export function NewProduct() {
  const texts = useTexts(productTexts)
  const navigate = useNavigate()
  return (
    <Page title={texts.add}>
      <ProductForm
        product={undefined}
        onSaved={(id) => void navigate({ to: `/products/${id}`, replace: true })}
      />
    </Page>
  )
}

export function ProductEditor() {
  const texts = useTexts(productTexts)
  const { canWrite } = useSession()
  const { productId } = useParams({ strict: false }) as { productId: string }
  const product = useQuery(productQuery(productId))
  return (
    <Page
      title={product.data?.name ?? texts.title}
      actions={product.data !== undefined && canWrite && <RetireButton id={productId} />}
    >
      <Loaded query={product}>
        {(found) => (
          <Stack>
            <ProductForm key={found._id} product={found} onSaved={() => undefined} />
            {/* What the service made of the variants, ids and all, is what is edited next. */}
            <Variants key={idsOf(found)} product={found} />
            <Stock product={found} />
            <Tiers key={`tiers ${idsOf(found)}`} product={found} />
            <SubItems product={found} />
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}

function idsOf({ skus = [], itemVariants = [] }: Product): string {
  const options = itemVariants.flatMap(({ _id, itemVariantOptions }) => [
    _id,
    ...itemVariantOptions.map((option) => option._id),
  ])
  return [...skus.map(({ _id }) => _id), ...options].join()
}

function RetireButton({ id }: { id: string }) {
  const texts = useTexts(productTexts)
  const navigate = useNavigate()
  const retiring = useAction({
    run: () => dataOf(api.DELETE('/api/external/v1/products/{id}', { params: { path: { id } } })),
    stale: [],
    done: texts.retired,
    // Leaves the page first: reading the retired product again would fail.
    onDone: async () => {
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
