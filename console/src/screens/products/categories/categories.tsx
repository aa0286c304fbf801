import { Anchor, Button, Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { ConfirmButton, useAction } from '../../../components/actions.tsx'
import { FormDialog } from '../../../components/forms/leave-question.tsx'
import { type Column, DataTable } from '../../../components/lists/data-table.tsx'
import { Card, EmptyState, Loaded } from '../../../components/page.tsx'
import { formatNumber } from '../../../format.ts'
import { useSession } from '../../../shell/session.tsx'
import { common } from '../../../texts/common.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { ProductsFrame } from '../frame.tsx'
import { type Category, categoriesQuery } from '../product-queries.ts'
import { CategoryForm } from './category-form.tsx'
import { categoryTexts } from './category-texts.ts'

type Open = { category?: Category; parentId: string | null }

/** The tree of categories, in the service's order. */
export function Categories() {
  const texts = useTexts(categoryTexts)
  const { canWrite } = useSession()
  const [open, setOpen] = useState<Open>()
  const categories = useQuery(categoriesQuery)
  const close = () => setOpen(undefined)
  const addButton = canWrite && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen({ parentId: null })}>
      {texts.add}
    </Button>
  )
  return (
    <ProductsFrame actions={addButton}>
      <Card>
        <Loaded query={categories}>
          {(tree) =>
            tree.length === 0 ? (
              <EmptyState title={texts.emptyTitle} hint={texts.emptyHint} action={addButton} />
            ) : (
              <CategoryTable tree={tree} onOpen={setOpen} />
            )
          }
        </Loaded>
      </Card>
      <FormDialog
        opened={open !== undefined}
        onClose={close}
        title={open?.category === undefined ? texts.add : texts.edit}
        closeOnClickOutside={false}
      >
        {open !== undefined && (
          <CategoryForm category={open.category} parentId={open.parentId} onDone={close} />
        )}
      </FormDialog>
    </ProductsFrame>
  )
}

function CategoryTable({ tree, onOpen }: { tree: Category[]; onOpen: (open: Open) => void }) {
  const texts = useTexts(categoryTexts)
  const { language } = useLanguage()
  const { canWrite } = useSession()
  const columns: Column<Category>[] = [
    {
      title: texts.name,
      cell: ({ name, depth }) => (
        <Text inherit fw={depth === 0 ? 600 : undefined} pl={depth * 24}>
          {name}
        </Text>
      ),
    },
    {
      title: texts.products,
      isNumber: true,
      cell: ({ _id, productCount }) =>
        productCount === 0 ? (
          formatNumber(0, language)
        ) : (
          <Anchor component={Link} to={`/products?category=${_id}`} inherit>
            {formatNumber(productCount, language)}
          </Anchor>
        ),
    },
    { title: texts.slug, cell: ({ slug }) => slug },
    { cell: (category) => canWrite && <CategoryActions category={category} onOpen={onOpen} /> },
  ]
  return <DataTable columns={columns} rows={tree} keyOf={({ _id }) => _id} />
}

function CategoryActions({ category, onOpen }: { category: Category; onOpen: (open: Open) => void }) {
  const texts = useTexts(categoryTexts)
  const words = useTexts(common)
  const { _id, name } = category
  const deleting = useAction({
    run: () => dataOf(api.DELETE('/api/external/v1/categories/{id}', { params: { path: { id: _id } } })),
    stale: [['categories']],
    done: texts.deleted,
  })
  return (
    <Group gap="xs" justify="flex-end">
      <Button
        size="xs"
        variant="default"
        aria-label={texts.addBelowOf(name)}
        onClick={() => onOpen({ parentId: _id })}
      >
        {texts.addBelow}
      </Button>
      <Button
        size="xs"
        variant="default"
        aria-label={texts.editOf(name)}
        onClick={() => onOpen({ category, parentId: null })}
      >
        {words.edit}
      </Button>
      <ConfirmButton
        size="xs"
        aria-label={texts.deleteOf(name)}
        question={texts.deleteQuestion(name)}
        loading={deleting.isPending}
        onConfirm={() => deleting.mutate(undefined)}
      >
        {words.delete}
      </ConfirmButton>
    </Group>
  )
}
