import { Button, Group, Stack } from '@mantine/core'
import { IconCategory, IconEye, IconEyeOff, IconPercentage } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../../api/client.ts'
import type { ListedProduct } from '../../../api/rows.ts'
import { openedLater } from '../../../components/dialogs/dialog.tsx'
import { DownloadButton } from '../../../components/download-button.tsx'
import { FormDialog } from '../../../components/forms/leave-question.tsx'
import { Select } from '../../../components/forms/select/select.tsx'
import { bulkTexts } from '../../../components/lists/bulk/bulk-texts.ts'
import type { Selection } from '../../../components/lists/bulk/selection.ts'
import { useBulk } from '../../../components/lists/bulk/use-bulk.tsx'
import { useSession } from '../../../shell/session.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { categoriesQuery, categoryChoices } from '../product-queries.ts'
import { moveTo, reprice, setStatus, type Undo } from './change-product.ts'
import { productBulkTexts } from './texts.ts'

const PriceDialog = openedLater(async () => (await import('./price-dialog.tsx')).PriceDialog)

const icon = { size: 16, 'aria-hidden': true }
const STALE = [['products']]

/** The actions for the selected products. */
export function useProductActions(selection: Selection<ListedProduct>): {
  actions: ReactNode
  dialogs: ReactNode
} {
  const texts = useTexts(productBulkTexts)
  const { exportSelected } = useTexts(bulkTexts)
  const { canWrite, shop } = useSession()
  const { start, dialog } = useBulk(selection)
  const [asked, setAsked] = useState<'price' | 'category'>()
  const ids = selection.rows.map(({ _id }) => _id).join()
  const shopId = shop?._id ?? ''
  const change = (title: string, act: (id: string) => Promise<Undo>, isOnce = false) => {
    setAsked(undefined)
    const undos = new Map<string, Undo>()
    start({
      title,
      act: async ({ _id }) => void undos.set(_id, await act(_id)),
      undo: ({ _id }) => undos.get(_id)!(),
      stale: STALE,
      isOnce,
    })
  }
  const sell = (title: string, status: 'active' | 'inactive') =>
    change(title, (id) => setStatus(shopId, id, status))
  const button = (name: string, Icon: typeof IconEye, onClick: () => void) => (
    <Button size="xs" variant="default" leftSection={<Icon {...icon} />} onClick={onClick}>
      {name}
    </Button>
  )
  return {
    actions: (
      <>
        {canWrite && button(texts.show, IconEye, () => sell(texts.show, 'active'))}
        {canWrite && button(texts.hide, IconEyeOff, () => sell(texts.hide, 'inactive'))}
        {canWrite && button(texts.changePrice, IconPercentage, () => setAsked('price'))}
        {canWrite && button(texts.move, IconCategory, () => setAsked('category'))}
        <DownloadButton
          size="xs"
          label={exportSelected}
          fetchFile={(labels) =>
            api.GET('/api/external/v1/products/export', {
              params: { query: { ids, labels } },
              parseAs: 'blob',
            })
          }
        />
      </>
    ),
    dialogs: (
      <>
        {dialog}
        <PriceDialog
          opened={asked === 'price'}
          onClose={() => setAsked(undefined)}
          products={selection.rows}
          onApply={(by) => change(texts.changePrice, (id) => reprice(shopId, id, by, texts), true)}
        />
        <FormDialog opened={asked === 'category'} onClose={() => setAsked(undefined)} title={texts.move}>
          {asked === 'category' && (
            <CategoryForm
              onApply={(to) => change(texts.move, (id) => moveTo(shopId, id, to, texts.movedSince))}
            />
          )}
        </FormDialog>
      </>
    ),
  }
}

function CategoryForm({ onApply }: { onApply: (categoryId: string) => void }) {
  const texts = useTexts(productBulkTexts)
  const categories = useQuery(categoriesQuery)
  const [chosen, setChosen] = useState<string | null>(null)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen !== null) onApply(chosen)
      }}
    >
      <Stack>
        <Select
          label={texts.category}
          required
          searchable
          data-autofocus
          data={categoryChoices(categories.data)}
          value={chosen}
          onChange={setChosen}
        />
        <Group justify="flex-end">
          <Button type="submit">{texts.move}</Button>
        </Group>
      </Stack>
    </form>
  )
}
