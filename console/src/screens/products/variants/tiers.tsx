import { ActionIcon, Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { MoneyInput } from '../../../components/forms/money-input.tsx'
import { Select } from '../../../components/forms/select/select.tsx'
import { WholeNumberInput } from '../../../components/forms/whole-number-input.tsx'
import { Card } from '../../../components/page.tsx'
import { useSession } from '../../../shell/session.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { productTexts } from '../texts.ts'
import { inOrder, isAbove, newTier, type skuChoices, type Tier } from './tier-rows.ts'

/** The wholesale prices by quantity, for existing and future SKUs. */
export function Tiers(props: {
  tiers: Tier[]
  skus: ReturnType<typeof skuChoices>
  problems: Record<string, unknown>
  onChange: (change: (before: Tier[]) => Tier[]) => void
}) {
  const texts = useTexts(productTexts)
  const { canWrite } = useSession()
  const { skus, onChange } = props
  const tiers = props.tiers.filter(({ sku }) => skus.some(({ value }) => value === sku))
  const sent = inOrder(props.tiers)
  const problem = (tier: Tier, field: string) =>
    props.problems[`wholesalePrices.${sent.indexOf(tier)}.${field}`] as string | undefined
  const set = (key: string, change: Partial<Tier>) =>
    onChange((before) => before.map((tier) => (tier.key === key ? { ...tier, ...change } : tier)))
  return (
    <Card title={texts.tiers} term="wholesale">
      <Stack>
        <Text size="sm" c="dimmed">
          {tiers.length === 0 ? `${texts.noTiers} ${texts.tiersHint}` : texts.tiersHint}
        </Text>
        {isAbove(tiers) && <Alert color="yellow">{texts.tierAbove}</Alert>}
        {tiers.map((tier) => (
          <Group key={tier.key} align="flex-end" gap="sm">
            <Select
              label={texts.variant}
              flex="1 1 180px"
              allowDeselect={false}
              disabled={!canWrite}
              data={skus}
              value={tier.sku}
              error={problem(tier, 'skuId')}
              onChange={(sku) => set(tier.key, { sku: sku ?? tier.sku })}
            />
            <WholeNumberInput
              label={texts.minQuantity}
              w={130}
              min={1}
              disabled={!canWrite}
              value={tier.minQuantity}
              error={problem(tier, 'minQuantity')}
              onChange={(pieces) => pieces !== null && set(tier.key, { minQuantity: pieces })}
            />
            <MoneyInput
              label={texts.tierPrice}
              w={150}
              disabled={!canWrite}
              value={tier.price}
              error={problem(tier, 'price')}
              onChange={(price) => set(tier.key, { price })}
            />
            {canWrite && (
              <ActionIcon
                size={36}
                variant="subtle"
                color="gray"
                aria-label={texts.removeTier}
                onClick={() => onChange((before) => before.filter(({ key }) => key !== tier.key))}
              >
                <IconX size={16} />
              </ActionIcon>
            )}
          </Group>
        ))}
        {canWrite && (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={skus.length === 0}
            style={{ alignSelf: 'flex-start' }}
            onClick={() => onChange((before) => [...before, newTier(skus[0]!.value, skus[0]!.price)])}
          >
            {texts.addTier}
          </Button>
        )}
      </Stack>
    </Card>
  )
}
