import { Button, Group, Stack, TextInput } from '@mantine/core'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Shop } from '../../api/rows.ts'
import { useAction } from '../../components/actions.tsx'
import { useEdit } from '../../components/concurrent-edits/use-edit.ts'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { Select } from '../../components/forms/select/select.tsx'
import { WholeNumberInput } from '../../components/forms/whole-number-input.tsx'
import { Explained } from '../../help/whats-this.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { settingsTexts } from './texts.ts'

type UnknownPolicy = 'release' | 'resend-once'
/** The option for the service's default. */
const SERVICE = 'service'

const valuesOf = (shop: Shop) => ({
  name: shop.name,
  language: shop.language,
  oversell: shop.oversell,
  lowStockAt: shop.lowStockAt,
  unknownPolicy: (shop.unknownPolicy ?? SERVICE) as UnknownPolicy | typeof SERVICE,
})

/** The shop's settings that its owner may change; with `isOperator` also those that only the operator may change. */
export function ShopForm({ shop, isOperator = false }: { shop: Shop; isOperator?: boolean }) {
  const { shop: texts } = useTexts(settingsTexts)
  const { save } = useTexts(common)
  const form = useKeptForm('shop', valuesOf(shop))
  const params = { path: { id: shop._id } }
  const edit = useEdit({
    name: 'shop',
    record: shop,
    valuesOf,
    read: async () => (await dataOf(api.GET('/api/manage/v1/shops/{id}', { params }))).data.shop,
    put: form.put,
    labels: { ...texts, unknownPolicy: texts.unknown },
    show: {
      language: (value) => (value === 'vi' ? 'Tiếng Việt' : 'English'),
      oversell: (value) => (value === 'allow' ? texts.allow : texts.deny),
      unknownPolicy: (value) => texts.unknowns[value],
    },
  })
  const saving = useAction({
    form,
    run: (values: typeof form.values) =>
      edit.save(values, async ({ unknownPolicy: policy, ...others }, headers) => {
        const unknownPolicy = policy === SERVICE ? null : policy
        const body = isOperator ? { ...others, unknownPolicy } : others
        return (await dataOf(api.PATCH('/api/manage/v1/shops/{id}', { params, body, headers }))).data.shop
      }),
    stale: [['operator'], ['shop'], ['me'], ['overview']],
    done: texts.saved,
  })
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))}>
      <Stack maw={480}>
        <TextInput label={texts.name} required {...form.getInputProps('name')} />
        <Select
          label={texts.language}
          allowDeselect={false}
          data={[
            { value: 'vi', label: 'Tiếng Việt' },
            { value: 'en', label: 'English' },
          ]}
          {...form.getInputProps('language')}
        />
        <Explained term="oversell" of={texts.oversell}>
          <Select
            label={texts.oversell}
            description={form.values.oversell === 'allow' ? texts.allowHint : texts.denyHint}
            allowDeselect={false}
            data={[
              { value: 'allow', label: texts.allow },
              { value: 'deny', label: texts.deny },
            ]}
            {...form.getInputProps('oversell')}
          />
        </Explained>
        <Explained term="lowStock" of={texts.lowStockAt}>
          <WholeNumberInput
            label={texts.lowStockAt}
            description={texts.lowStockAtHint}
            required
            max={1_000_000}
            {...form.getInputProps('lowStockAt')}
          />
        </Explained>
        {isOperator && (
          <Explained term="unknownOutcome" of={texts.unknown}>
            <Select
              label={texts.unknown}
              allowDeselect={false}
              data={([SERVICE, 'release', 'resend-once'] as const).map((value) => ({
                value,
                label: texts.unknowns[value],
              }))}
              {...form.getInputProps('unknownPolicy')}
            />
          </Explained>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={saving.isPending}>
            {save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
