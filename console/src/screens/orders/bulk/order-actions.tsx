import { Button } from '@mantine/core'
import { IconCheck, IconDownload, IconPrinter } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import type { ListedOrder } from '../../../api/rows.ts'
import { useDownload } from '../../../components/download.ts'
import { bulkTexts } from '../../../components/lists/bulk/bulk-texts.ts'
import type { Selection } from '../../../components/lists/bulk/selection.ts'
import { useBulk } from '../../../components/lists/bulk/use-bulk.tsx'
import { useSession } from '../../../shell/session.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { type Order, orderQuery, sellerOf, timelineQuery } from '../order-queries.ts'
import { Receipt } from '../receipt.tsx'
import { orderTexts } from '../texts.ts'

type Printed = { order: Order; cashier: string | undefined }
const icon = { size: 16, 'aria-hidden': true }

/**
 * What can be done with the selected orders: confirm, print their receipts, export them. `sheets` are the receipts while they
 * are printed; the rest of the page is not.
 */
export function useOrderActions(selection: Selection<ListedOrder>): {
  actions: ReactNode
  dialog: ReactNode
  sheets: ReactNode[]
} {
  const texts = useTexts(orderTexts)
  const { exportSelected } = useTexts(bulkTexts)
  const { canWrite } = useSession()
  const client = useQueryClient()
  const { start, dialog } = useBulk(selection)
  const [printed, setPrinted] = useState<Printed[]>([])
  const exporting = useDownload(() => {
    const ids = selection.rows.map(({ _id }) => _id).join()
    return api.GET('/api/external/v1/orders/export', { params: { query: { ids } }, parseAs: 'blob' })
  })
  useEffect(() => {
    if (printed.length === 0) return
    const clear = () => setPrinted([])
    window.addEventListener('afterprint', clear)
    window.print()
    return () => window.removeEventListener('afterprint', clear)
  }, [printed])

  function print() {
    const read = new Map<string, Printed>()
    start({
      title: texts.printSelected,
      act: async ({ _id }) => {
        const [order, { data }] = await Promise.all([
          client.fetchQuery({ ...orderQuery(_id), staleTime: 0 }),
          client.fetchQuery(timelineQuery(_id)),
        ])
        const by = sellerOf(data)
        read.set(_id, { order, cashier: by === null ? undefined : texts.doneBy(by) })
      },
      stale: [],
      isReading: true,
      onEnd: (done) => setPrinted(done.map(({ _id }) => read.get(_id)!).toSorted(byCode)),
    })
  }
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
    sheets: printed.map(({ order, cashier }) => <Receipt key={order._id} order={order} cashier={cashier} />),
    actions: (
      <>
        {canWrite && (
          <Button size="xs" leftSection={<IconCheck {...icon} />} onClick={confirm}>
            {texts.confirmSelected}
          </Button>
        )}
        <Button size="xs" variant="default" leftSection={<IconPrinter {...icon} />} onClick={print}>
          {texts.printSelected}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload {...icon} />}
          loading={exporting.isPending}
          onClick={() => exporting.mutate()}
        >
          {exportSelected}
        </Button>
      </>
    ),
  }
}

const byCode = ({ order: one }: Printed, { order: other }: Printed) =>
  one.code.localeCompare(other.code, 'vi', { numeric: true })
