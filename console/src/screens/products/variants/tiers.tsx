import { ActionIcon, Alert, Button, Group, NumberInput, Select, Stack, Text } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { dataOf, Problem } from '../../../api/problem.ts'
import { useAction } from '../../../components/actions.tsx'
import { useEdit } from '../../../components/edits/use-edit.ts'
import { keptOf, useTyped } from '../../../components/forms/kept-form.ts'
import { MoneyInput } from '../../../components/forms/money-input.tsx'
import { Card, ProblemNote } from '../../../components/page.tsx'
import { formatVnd } from '../../../format.ts'
import { useSession } from '../../../shell/session.tsx'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { type Product, readProduct } from '../product-queries.ts'
import { productTexts } from '../texts.ts'
import { activeSkus, newId } from './variant-rows.ts'

type Tier = { key: string; _id?: string; skuId: string; minQuantity: number; price: number | null }

/** The wholesale prices by quantity; saved as a whole. */
export function Tiers({ product }: { product: Product }) {
  const texts = useTexts(productTexts)
  const { canWrite } = useSession()
  const { language } = useLanguage()
  const [stored] = useState(() => tiersOf(product))
  const [tiers, setTiers] = useState<Tier[]>(() => keptOf<Tier[]>('tiers') ?? stored)
  const typed = useTyped('tiers', tiers, stored)
  const skus = activeSkus(product)
  const edit = useEdit({
    name: 'tiers',
    record: product,
    valuesOf: (one: Tiered) => ({ tiers: tiersOf(one) }),
    read: () => readProduct(product._id),
    put: (values, isSaved) => {
      setTiers(values.tiers)
      if (isSaved) typed.saved(values.tiers)
    },
    labels: texts,
    show: { tiers: (list) => list.map(lineOf).join('\n') },
    essence: { tiers: (list) => inOrder(list).map(({ key: _, _id: __, ...tier }) => tier) },
  })
  const lineOf = ({ skuId, minQuantity, price }: Tier) => {
    const name = skus.find(({ _id }) => _id === skuId)?.name || product.name
    return `${name}: ${minQuantity} → ${formatVnd(price ?? 0, language)}`
  }
  const saving = useAction({
    form: typed,
    run: async () => {
      let warnings: string[] = []
      await edit.save({ tiers }, async (mine, headers) => {
        const params = { path: { id: product._id } }
        const wholesalePrices = inOrder(mine.tiers).map(({ key: _, price, ...tier }) => ({
          ...tier,
          price: price ?? 0,
        }))
        const body = { wholesalePrices }
        const answer = await dataOf(
          api.PUT('/api/external/v1/products/{id}/wholesale-prices', { params, body, headers }),
        )
        warnings = answer.warnings
        return answer.data
      })
      return { warnings }
    },
    stale: [['products']],
    done: texts.tiersSaved,
    quiet: true,
    onDone: () => {
      setTiers(inOrder(tiers))
      typed.saved(inOrder(tiers))
    },
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

type Tiered = Pick<Product, '__v' | 'wholesalePrices'>

function tiersOf({ wholesalePrices = [] }: Tiered): Tier[] {
  return wholesalePrices.map((tier) => ({ ...tier, key: tier._id }))
}

function freshTier(sku: { _id: string; price: number }): Tier {
  return { key: newId(), skuId: sku._id, minQuantity: 10, price: sku.price }
}

/** As the service wants them: those of one SKU by rising quantity. */
function inOrder(tiers: Tier[]): Tier[] {
  return tiers.toSorted((a, b) => a.skuId.localeCompare(b.skuId) || a.minQuantity - b.minQuantity)
}
