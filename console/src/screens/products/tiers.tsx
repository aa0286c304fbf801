import { ActionIcon, Alert, Button, Group, NumberInput, Select, Stack, Text } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { dataOf, Problem } from '../../api/problem.ts'
import { useAction } from '../../components/actions.tsx'
import { MoneyInput } from '../../components/money-input.tsx'
import { Card, ProblemNote } from '../../components/page.tsx'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import type { Product } from './product-queries.ts'
import { productTexts } from './texts.ts'
import { activeSkus, newId } from './variant-rows.ts'

type Tier = { key: string; _id?: string; skuId: string; minQuantity: number; price: number | null }

/** What one piece costs from a quantity on; saved as a whole. */
export function Tiers({ product }: { product: Product }) {
  const texts = useTexts(productTexts)
  const { canWrite } = useSession()
  const [tiers, setTiers] = useState<Tier[]>(() =>
    (product.wholesalePrices ?? []).map((tier) => ({ ...tier, key: tier._id })),
  )
  const skus = activeSkus(product)
  const saving = useAction({
    run: () =>
      dataOf(
        api.PUT('/api/external/v1/products/{id}/wholesale-prices', {
          params: { path: { id: product._id } },
          body: {
            wholesalePrices: inOrder(tiers).map(({ key: _, price, ...tier }) => ({
              ...tier,
              price: price ?? 0,
            })),
          },
        }),
      ),
    stale: [['products']],
    done: texts.tiersSaved,
    quiet: true,
    onDone: () => setTiers(inOrder(tiers)),
  })
  const problems = saving.error instanceof Problem ? saving.error.fields : {}
  const set = (key: string, change: Partial<Tier>) =>
    setTiers(tiers.map((tier) => (tier.key === key ? { ...tier, ...change } : tier)))

  return (
    <Card title={texts.tiers}>
      <Stack>
        {saving.error !== null && <ProblemNote error={saving.error} />}
        {saving.data?.warnings.map((warning) => (
          <Alert key={warning} color="yellow">
            {warning}
          </Alert>
        ))}
        <Text size="sm" c="dimmed">
          {tiers.length === 0 ? `${texts.noTiers} ${texts.tiersHint}` : texts.tiersHint}
        </Text>
        {tiers.map((tier, at) => (
          <Group key={tier.key} align="flex-end" gap="sm">
            <Select
              label={texts.variant}
              flex="1 1 180px"
              allowDeselect={false}
              disabled={!canWrite}
              data={skus.map(({ _id, name }) => ({ value: _id, label: name || product.name }))}
              value={tier.skuId}
              onChange={(skuId) => set(tier.key, { skuId: skuId ?? tier.skuId })}
            />
            <NumberInput
              label={texts.minQuantity}
              w={130}
              min={1}
              allowDecimal={false}
              disabled={!canWrite}
              value={tier.minQuantity}
              error={problems[`wholesalePrices.${at}.minQuantity`]}
              onChange={(typed) => set(tier.key, { minQuantity: Number(typed) || 1 })}
            />
            <MoneyInput
              label={texts.tierPrice}
              w={150}
              disabled={!canWrite}
              value={tier.price}
              error={problems[`wholesalePrices.${at}.price`]}
              onChange={(price) => set(tier.key, { price })}
            />
            {canWrite && (
              <ActionIcon
                size={36}
                variant="subtle"
                color="gray"
                aria-label={texts.removeTier}
                onClick={() => setTiers(tiers.filter(({ key }) => key !== tier.key))}
              >
                <IconX size={16} />
              </ActionIcon>
            )}
          </Group>
        ))}
        {canWrite && (
          <Group justify="space-between">
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              disabled={skus.length === 0}
              onClick={() => setTiers([...tiers, freshTier(skus[0]!)])}
            >
              {texts.addTier}
            </Button>
            <Button loading={saving.isPending} onClick={() => saving.mutate(undefined)}>
              {texts.saveTiers}
            </Button>
          </Group>
        )}
      </Stack>
    </Card>
  )
}

function freshTier(sku: { _id: string; price: number }): Tier {
  return { key: newId(), skuId: sku._id, minQuantity: 10, price: sku.price }
}

/** As the service wants them: those of one SKU by rising quantity. */
function inOrder(tiers: Tier[]): Tier[] {
  return tiers.toSorted((a, b) => a.skuId.localeCompare(b.skuId) || a.minQuantity - b.minQuantity)
}
