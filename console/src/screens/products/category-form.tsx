import { Button, Group, NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useAction } from '../../components/actions.tsx'
import { ImageAddress } from '../../components/image-address.tsx'
import { ProblemNote } from '../../components/page.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { categoryTexts } from './category-texts.ts'
import { type Category, categoriesQuery, categoryChoices } from './product-queries.ts'

/** The choice of no parent: an option by itself can be reached with the keyboard, a button that clears cannot. */
const ROOT = 'root'

/** A new category below `parentId` (a root without one), or the given one. What the service refuses stands at its field. */
export function CategoryForm(props: {
  category: Category | undefined
  parentId: string | null
  onDone: () => void
}) {
  const texts = useTexts(categoryTexts)
  const { save, create } = useTexts(common)
  const { category } = props
  const categories = useQuery(categoriesQuery)
  const form = useForm({
    initialValues: {
      name: category?.name ?? '',
      parentId: category?.parentId ?? props.parentId ?? ROOT,
      sortOrder: category?.sortOrder ?? 0,
      slug: category?.slug ?? '',
      image: category?.image ?? '',
      description: category?.description ?? '',
    },
  })
  const saving = useAction({
    form,
    run: (values: typeof form.values) => {
      // A field that was emptied is text to the form.
      const parentId = values.parentId === ROOT ? null : values.parentId
      const body = { ...values, parentId, sortOrder: Number(values.sortOrder) }
      return category === undefined
        ? dataOf(api.POST('/api/external/v1/categories', { body }))
        : dataOf(
            api.PATCH('/api/external/v1/categories/{id}', { params: { path: { id: category._id } }, body }),
          )
    },
    stale: [['categories'], ['products']],
    done: texts.saved,
    quiet: true,
    onDone: props.onDone,
  })

  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))}>
      <Stack>
        {saving.error !== null && <ProblemNote error={saving.error} />}
        <TextInput
          label={texts.name}
          required
          maxLength={500}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Select
          label={texts.parent}
          searchable
          allowDeselect={false}
          data={[
            { value: ROOT, label: texts.root },
            ...categoryChoices(withoutBranch(categories.data ?? [], category?._id)),
          ]}
          {...form.getInputProps('parentId')}
        />
        <NumberInput
          label={texts.sortOrder}
          description={texts.sortHint}
          min={0}
          allowDecimal={false}
          {...form.getInputProps('sortOrder')}
        />
        <TextInput label={texts.slug} description={texts.slugHint} {...form.getInputProps('slug')} />
        <ImageAddress label={texts.image} {...form.getInputProps('image')} />
        <Textarea label={texts.description} autosize minRows={2} {...form.getInputProps('description')} />
        <Group justify="flex-end">
          <Button type="submit" loading={saving.isPending}>
            {category === undefined ? create : save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The tree without a category and those below it, where it cannot hang itself. */
function withoutBranch(tree: Category[], id: string | undefined): Category[] {
  const start = tree.findIndex(({ _id }) => _id === id)
  if (start === -1) return tree
  const next = tree.findIndex(({ depth }, at) => at > start && depth <= tree[start]!.depth)
  return [...tree.slice(0, start), ...(next === -1 ? [] : tree.slice(next))]
}
