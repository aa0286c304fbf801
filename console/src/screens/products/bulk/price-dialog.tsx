import { Button, Group, Stack, Text } from '@mantine/core'
import type { ListedProduct } from '../../../api/rows.ts'
import { useKeptForm } from '../../../components/forms/kept-form.ts'
import { FormDialog } from '../../../components/forms/leave-question.tsx'
import { PercentInput } from '../../../components/forms/percent-input.tsx'
import { Select } from '../../../components/forms/select/select.tsx'
import { formatNumber, formatVnd } from '../../../format.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { type PriceChange, repriced } from './new-price.ts'
import { productBulkTexts } from './texts.ts'

const STEPS = [1, 100, 500, 1_000, 10_000]
const SHOWN = 3
const LEAST_PERCENT = -90
const MOST_PERCENT = 500

type Props = { products: readonly ListedProduct[]; onApply: (change: PriceChange) => void }

/** Asks by how much the prices of the products change. */
export function PriceDialog({ opened, onClose, ...form }: Props & { opened: boolean; onClose: () => void }) {
  const texts = useTexts(productBulkTexts)
  return (
    <FormDialog opened={opened} onClose={onClose} title={texts.changePrice}>
      {opened && <PriceForm {...form} />}
    </FormDialog>
  )
}

function isAllowed(percent: number | string): percent is number {
  return typeof percent === 'number' && percent >= LEAST_PERCENT && percent <= MOST_PERCENT
}

/** By how much the prices change, shown on the first of the products. */
function PriceForm(props: Props) {
  const texts = useTexts(productBulkTexts)
  const { language } = useLanguage()
  const number = (value: number) => formatNumber(value, language)
  const problemOf = (typed: number | string) => {
    if (Number(typed) === 0) return texts.percentNeeded
    return isAllowed(typed) ? null : texts.percentRange(number(LEAST_PERCENT), number(MOST_PERCENT))
  }
  const form = useKeptForm(
    'reprice',
    { percent: '' as number | string, step: '1000' },
    { validate: { percent: problemOf } },
  )
  const { percent, step } = form.values
  const change = isAllowed(percent) && percent !== 0 ? { percent, stepVnd: Number(step) } : undefined
  const vnd = (value: number) => formatVnd(value, language)
  return (
    <form
      onSubmit={form.onSubmit(() => {
        if (change === undefined) return
        form.saved()
        props.onApply(change)
      })}
    >
      <Stack>
        <Text size="sm">{texts.priceHint}</Text>
        <PercentInput
          label={texts.percent}
          description={texts.percentHint}
          data-autofocus
          min={LEAST_PERCENT}
          max={MOST_PERCENT}
          {...form.getInputProps('percent')}
        />
        <Select
          label={texts.rounding}
          allowDeselect={false}
          data={STEPS.map((value) => ({
            value: String(value),
            label: value === 1 ? texts.toWhole : texts.to(vnd(value)),
          }))}
          {...form.getInputProps('step')}
        />
        {change !== undefined && (
          <Text size="sm" role="status" component="div">
            {props.products.slice(0, SHOWN).map(({ _id, name, price }) => (
              <div key={_id}>{texts.example(name, vnd(price), vnd(repriced(price, change)))}</div>
            ))}
          </Text>
        )}
        <Group justify="flex-end">
          <Button type="submit">{texts.apply}</Button>
        </Group>
      </Stack>
    </form>
  )
}
