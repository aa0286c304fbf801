import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { api } from '../../api/client.ts'
import { dataOf, Problem } from '../../api/problem.ts'
import { useAction } from '../../components/actions.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { operatorTexts } from './texts.ts'

export type Shop = {
  _id: string
  name: string
  language: 'vi' | 'en'
  oversell: 'allow' | 'deny'
  unknownPolicy: 'release' | 'resend-once' | null
}

const SERVICE = 'service'

export function ShopForm({ shop }: { shop: Shop }) {
  const { shops: texts } = useTexts(operatorTexts)
  const { save } = useTexts(common)
  const form = useForm({
    initialValues: {
      name: shop.name,
      language: shop.language,
      oversell: shop.oversell,
      unknownPolicy: shop.unknownPolicy ?? SERVICE,
    } as Omit<Shop, '_id' | 'unknownPolicy'> & { unknownPolicy: 'release' | 'resend-once' | typeof SERVICE },
  })
  const saving = useAction({
    run: ({ unknownPolicy, ...body }: typeof form.values) =>
      dataOf(
        api.PATCH('/api/manage/v1/shops/{id}', {
          params: { path: { id: shop._id } },
          body: { ...body, unknownPolicy: unknownPolicy === SERVICE ? null : unknownPolicy },
        }),
      ),
    stale: [['operator'], ['shop'], ['me']],
    done: texts.saved,
  })
  return (
    <form
      onSubmit={form.onSubmit((values) =>
        saving.mutate(values, {
          onError: (error) => error instanceof Problem && form.setErrors(error.fields),
        }),
      )}
    >
      <Stack>
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
          allowDeselect={false}
          data={[
            { value: 'allow', label: texts.allow },
            { value: 'deny', label: texts.deny },
          ]}
          {...form.getInputProps('oversell')}
        />
        <Select
          label={texts.unknown}
          allowDeselect={false}
          data={([SERVICE, 'release', 'resend-once'] as const).map((value) => ({
            value,
            label: texts.unknowns[value],
          }))}
          {...form.getInputProps('unknownPolicy')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={saving.isPending}>
            {save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
