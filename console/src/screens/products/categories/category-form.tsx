import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { useAction } from '../../../components/actions.tsx'
import { useEdit } from '../../../components/concurrent-edits/use-edit.ts'
import { ImageAddress } from '../../../components/forms/image-address.tsx'
import { useKeptForm } from '../../../components/forms/kept-form.ts'
import { Select } from '../../../components/forms/select/select.tsx'
import { useSentOnce } from '../../../components/forms/sent-once.ts'
import { WholeNumberInput } from '../../../components/forms/whole-number-input.tsx'
import { ProblemNote } from '../../../components/page.tsx'
import { Explained } from '../../../help/whats-this.tsx'
import { useSession } from '../../../shell/session.tsx'
import { common } from '../../../texts/common.ts'
import { useTexts } from '../../../texts/language.tsx'
import { type Category, categoriesQuery, categoryChoices } from '../product-queries.ts'
import { categoryTexts } from './category-texts.ts'

/** The option for no parent. An option can be reached with the keyboard; a clear button cannot. */
const ROOT = 'root'

type Edited = Pick<Category, '__v' | 'name' | 'parentId' | 'sortOrder' | 'slug' | 'image' | 'description'>

const valuesOf = (category: Edited | undefined, below: string | null = null) => ({
  name: category?.name ?? '',
  parentId: category?.parentId ?? below ?? ROOT,
  sortOrder: category?.sortOrder ?? 0,
  slug: category?.slug ?? '',
  image: category?.image ?? '',
  description: category?.description ?? '',
})

const bodyOf = ({ parentId, sortOrder, ...values }: ReturnType<typeof valuesOf>) => ({
  ...values,
  parentId: parentId === ROOT ? null : parentId,
  // The form has an empty field as text.
  sortOrder: Number(sortOrder),
})

async function readCategory(id: string) {
  return (await dataOf(api.GET('/api/external/v1/categories/{id}', { params: { path: { id } } }))).data
}

/** The form of a new category below `parentId` (without it a root), or of the given one. Refusals are shown at their fields. */
export function CategoryForm(props: {
  category: Category | undefined
  parentId: string | null
  onDone: () => void
}) {
  const texts = useTexts(categoryTexts)
  const { save, create } = useTexts(common)
  const { category } = props
  const { shop } = useSession()
  const categories = useQuery(categoriesQuery)
  const name = `category ${category?._id ?? props.parentId}`
  const form = useKeptForm(name, valuesOf(category, props.parentId))
  const edit = useEdit({
    name,
    record: category,
    valuesOf,
    read: () => readCategory(category!._id),
    put: form.put,
    labels: { ...texts, parentId: texts.parent },
    show: {
      parentId: (id) => categories.data?.find(({ _id }) => _id === id)?.name ?? texts.root,
    },
  })
  const once = useSentOnce<ReturnType<typeof bodyOf>>(`category ${shop?._id}`)
  const saving = useAction({
    form,
    run: async (values: typeof form.values) => {
      if (category === undefined)
        return once.send(bodyOf(values), async (headers) => {
          const call = api.POST('/api/external/v1/categories', { body: bodyOf(values), headers })
          return (await dataOf(call)).data
        })
      const params = { path: { id: category._id } }
      return edit.save(values, async (mine, headers) => {
        const call = api.PATCH('/api/external/v1/categories/{id}', { params, body: bodyOf(mine), headers })
        return (await dataOf(call)).data
      })
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
        <WholeNumberInput
          label={texts.sortOrder}
          description={texts.sortHint}
          {...form.getInputProps('sortOrder')}
        />
        <Explained term="slug" of={texts.slug}>
          <TextInput label={texts.slug} description={texts.slugHint} {...form.getInputProps('slug')} />
        </Explained>
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

/** The tree without a category and its descendants, none of which can be its parent. */
function withoutBranch(tree: Category[], id: string | undefined): Category[] {
  const start = tree.findIndex(({ _id }) => _id === id)
  if (start === -1) return tree
  const next = tree.findIndex(({ depth }, at) => at > start && depth <= tree[start]!.depth)
  return [...tree.slice(0, start), ...(next === -1 ? [] : tree.slice(next))]
}
