import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Shop } from '../../api/rows.ts'
import { useAction } from '../../components/actions.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { settingsTexts } from './texts.ts'

type UnknownPolicy = 'release' | 'resend-once'
/** The choice of none of its own. */
const SERVICE = 'service'

/** A shop's settings as its owner may change them; what is the operator's alone with `isOperator`. */
export function ShopForm({ shop, isOperator = false }: { shop: Shop; isOperator?: boolean }) {
  const { shop: texts } = useTexts(settingsTexts)
  const { save } = useTexts(common)
  const form = useForm({
    initialValues: {
      name: shop.name,
      language: shop.language,
      oversell: shop.oversell,
      unknownPolicy: (shop.unknownPolicy ?? SERVICE) as UnknownPolicy | typeof SERVICE,
    },
  })
  const saving = useAction({
    form,
    run: ({ unknownPolicy, ...body }: typeof form.values) =>
      dataOf(
        api.PATCH('/api/manage/v1/shops/{id}', {
          params: { path: { id: shop._id } },
          body: isOperator
            ? { ...body, unknownPolicy: unknownPolicy === SERVICE ? null : unknownPolicy }
            : body,
        }),
      ),
    stale: [['operator'], ['shop'], ['me']],
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
        <Select
          label={texts.oversell}
          description={texts.oversellHint}
          allowDeselect={false}
          data={[
            { value: 'allow', label: texts.allow },
            { value: 'deny', label: texts.deny },
          ]}
          {...form.getInputProps('oversell')}
        />
        {isOperator && (
          <Select
            label={texts.unknown}
            allowDeselect={false}
            data={([SERVICE, 'release', 'resend-once'] as const).map((value) => ({
              value,
              label: texts.unknowns[value],
            }))}
            {...form.getInputProps('unknownPolicy')}
          />
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
