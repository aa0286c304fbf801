import { ActionIcon, Group, Paper, SimpleGrid, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { DateInput } from '../../../components/forms/date-input.tsx'
import { MoneyInput } from '../../../components/forms/money-input.tsx'
import { Select } from '../../../components/forms/select/select.tsx'
import { WholeNumberInput } from '../../../components/forms/whole-number-input.tsx'
import { common } from '../../../texts/common.ts'
import { useTexts } from '../../../texts/language.tsx'
import { audienceTexts } from './audience-texts.ts'
import type { Draft, Kind } from './conditions.ts'
import { GoodsSelect } from './goods-select.tsx'

const MONTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

/** One condition, with a number for the reader. Its fields depend on its kind. */
export function ConditionFields(props: {
  number: number
  draft: Draft
  onChange: (draft: Draft) => void
  onRemove: (() => void) | undefined
}) {
  const { number, draft, onChange, onRemove } = props
  const texts = useTexts(audienceTexts)
  const { aboveZero } = useTexts(common)
  const put = (part: Partial<Draft>) => onChange({ ...draft, ...part })
  return (
    <Paper withBorder p="sm" role="group" aria-label={texts.condition(number)}>
      <Group justify="space-between" mb="xs">
        <Text size="sm" fw={600}>
          {texts.condition(number)}
        </Text>
        {onRemove !== undefined && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={texts.removeCondition(number)}
            onClick={onRemove}
          >
            <IconX size={16} />
          </ActionIcon>
        )}
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <Select
          label={texts.kind}
          data={Object.entries(texts.kinds).map(([value, label]) => ({ value, label }))}
          allowDeselect={false}
          value={draft.kind}
          onChange={(kind) => put({ kind: kind as Kind })}
        />
        {draft.kind === 'debt' && (
          <MoneyInput
            label={texts.atLeast}
            required
            value={draft.atLeast}
            error={draft.atLeast === 0 && aboveZero}
            onChange={(atLeast) => put({ atLeast })}
          />
        )}
        {draft.kind === 'birthday' && <BirthdayFields draft={draft} put={put} />}
        {(draft.kind === 'bought' || draft.kind === 'notBought') && (
          <PurchaseFields draft={draft} put={put} />
        )}
      </SimpleGrid>
    </Paper>
  )
}

type Fields = { draft: Draft; put: (part: Partial<Draft>) => void }

function PurchaseFields({ draft, put }: Fields) {
  const texts = useTexts(audienceTexts)
  return (
    <>
      <GoodsSelect productIds={draft.productIds} categoryIds={draft.categoryIds} onChange={put} />
      <Select
        label={texts.time}
        data={Object.entries(texts.times).map(([value, label]) => ({ value, label }))}
        allowDeselect={false}
        value={draft.time}
        onChange={(time) => put({ time: time as Draft['time'] })}
      />
      {draft.time === 'days' && (
        <Days label={texts.days} min={1} value={draft.days} onChange={(days) => put({ days })} />
      )}
      {draft.time === 'since' && (
        <DateInput required label={texts.since} value={draft.since} onChange={(since) => put({ since })} />
      )}
    </>
  )
}

function BirthdayFields({ draft, put }: Fields) {
  const texts = useTexts(audienceTexts)
  return (
    <>
      <Select
        label={texts.when}
        data={Object.entries(texts.whens).map(([value, label]) => ({ value, label }))}
        allowDeselect={false}
        value={draft.when}
        onChange={(when) => put({ when: when as Draft['when'] })}
      />
      {draft.when === 'month' ? (
        <Select
          label={texts.month}
          data={MONTHS.map((month) => ({ value: String(month), label: texts.monthName(month) }))}
          allowDeselect={false}
          value={String(draft.month)}
          onChange={(month) => put({ month: Number(month) })}
        />
      ) : (
        <Days label={texts.days} min={0} value={draft.nextDays} onChange={(nextDays) => put({ nextDays })} />
      )}
    </>
  )
}

function Days(props: {
  label: string
  min: number
  value: number | null
  onChange: (days: number | null) => void
}) {
  return <WholeNumberInput {...props} required max={3_650} />
}
