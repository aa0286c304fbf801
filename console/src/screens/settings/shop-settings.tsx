import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf, Problem } from '../../api/problem.ts'
import { useAction } from '../../components/actions.tsx'
import { Card, Loaded } from '../../components/page.tsx'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { settingsTexts } from './texts.ts'

type Shop = { name: string; language: 'vi' | 'en'; oversell: 'allow' | 'deny' }

export function ShopSettings() {
  const id = useSession().shop!._id
  const shop = useQuery({
    queryKey: ['shop'],
    queryFn: () => dataOf(api.GET('/api/manage/v1/shops/{id}', { params: { path: { id } } })),
  })
  return (
    <Card>
      <Loaded query={shop}>{({ data }) => <ShopForm shop={data.shop} />}</Loaded>
    </Card>
  )
}

function ShopForm({ shop }: { shop: Shop }) {
  const { shop: texts } = useTexts(settingsTexts)
  const { save } = useTexts(common)
  const id = useSession().shop!._id
  const form = useForm<Shop>({
    initialValues: { name: shop.name, language: shop.language, oversell: shop.oversell },
  })
  const saving = useAction({
    run: (body: Shop) => dataOf(api.PATCH('/api/manage/v1/shops/{id}', { params: { path: { id } }, body })),
    stale: [['shop'], ['me']],
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
        <Group justify="flex-end">
          <Button type="submit" loading={saving.isPending}>
            {save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
