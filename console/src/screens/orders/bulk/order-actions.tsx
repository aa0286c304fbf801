import { Button } from '@mantine/core'
import { IconCheck, IconPrinter } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import type { ListedOrder } from '../../../api/rows.ts'
import { ask } from '../../../components/dialogs/questions.tsx'
import { DownloadButton } from '../../../components/download-button.tsx'
import { bulkTexts } from '../../../components/lists/bulk/bulk-texts.ts'
import type { Selection } from '../../../components/lists/bulk/selection.ts'
import { useBulk } from '../../../components/lists/bulk/use-bulk.tsx'
import { formatNumber } from '../../../format.ts'
import { useSession } from '../../../shell/session.tsx'
import { common } from '../../../texts/common.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { type Order, orderQuery, sellerOf, timelineQuery } from '../order-queries.ts'
import { orderTexts } from '../texts.ts'

type Printed = { order: Order; cashier: string | undefined }
const icon = { size: 16, 'aria-hidden': true }

/**
 * The actions for the selected orders: confirm, print receipts, export. `sheets` are the receipts while they are
 * printed; the rest of the page is not printed.
 */
export function useOrderActions(selection: Selection<ListedOrder>): {
  actions: ReactNode
  dialog: ReactNode
  sheets: ReactNode[]
} {
  const texts = useTexts(orderTexts)
  const { exportSelected } = useTexts(bulkTexts)
  const { cancel, doneBy } = useTexts(common)
  const { language } = useLanguage()
  const { canWrite } = useSession()
  const client = useQueryClient()
  const { start, dialog } = useBulk(selection)
  const [sheets, setSheets] = useState<{ printed: Printed[]; Receipt: ComponentType<Printed> }>()
  const ids = selection.rows.map(({ _id }) => _id).join()
  useEffect(() => {
    if (sheets === undefined) return
    const clear = () => setSheets(undefined)
    window.addEventListener('afterprint', clear)
    window.print()
    return () => window.removeEventListener('afterprint', clear)
  }, [sheets])

  function print() {
    const read = new Map<string, Printed>()
    const receipts = import('../receipt/receipt.tsx')
    start({
      title: texts.printSelected,
      act: async ({ _id }) => {
        await receipts
        const [order, timeline] = await Promise.all([
          client.fetchQuery({ ...orderQuery(_id), staleTime: 0 }),
          client.fetchQuery(timelineQuery(_id)),
        ])
        const by = sellerOf(timeline)
        read.set(_id, { order, cashier: by === null ? undefined : doneBy(by) })
      },
      stale: [],
      isReading: true,
      onEnd: (done) => void show(done.map(({ _id }) => read.get(_id)!).toSorted(byCode)),
    })
  }
  async function show(printed: Printed[]) {
    if (printed.length > 0) setSheets({ printed, Receipt: (await import('../receipt/receipt.tsx')).Receipt })
  }
  // An order that is confirmed cannot wait for it again.
  const askToConfirm = () =>
    ask({
      title: texts.confirmSelected,
      children: texts.confirmQuestion(formatNumber(selection.rows.length, language)),
      labels: { confirm: texts.confirmSelected, cancel },
      onConfirm: confirm,
    })
  const confirm = () =>
    start({
      title: texts.confirmSelected,
      act: ({ _id }) =>
        dataOf(
          api.PATCH('/api/external/v1/orders/{id}/status', {
            params: { path: { id: _id } },
            body: { status: 'confirmed' },
          }),
        ),
      stale: [['orders'], ['products'], ['overview']],
    })

  return {
    dialog,
    sheets: sheets?.printed.map((one) => <sheets.Receipt key={one.order._id} {...one} />) ?? [],
    actions: (
      <>
        {canWrite && (
          <Button size="xs" leftSection={<IconCheck {...icon} />} onClick={askToConfirm}>
            {texts.confirmSelected}
          </Button>
        )}
        <Button size="xs" variant="default" leftSection={<IconPrinter {...icon} />} onClick={print}>
          {texts.printSelected}
        </Button>
        <DownloadButton
          size="xs"
          label={exportSelected}
          fetchFile={(labels) =>
            api.GET('/api/external/v1/orders/export', { params: { query: { ids, labels } }, parseAs: 'blob' })
          }
        />
      </>
    ),
  }
}

const byCode = ({ order: one }: Printed, { order: other }: Printed) =>
  one.code.localeCompare(other.code, 'vi', { numeric: true })
