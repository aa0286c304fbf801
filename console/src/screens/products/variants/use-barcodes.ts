import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { useAction } from '../../../components/actions.tsx'

/** Requests this many in-store barcodes that no product of the shop has. The `onMade` of the latest rendering gets them. */
export function useBarcodes(onMade: (barcodes: string[]) => void) {
  return useAction({
    stale: [],
    onDone: onMade,
    run: async (count: number) => {
      const params = { query: { count } }
      return (await dataOf(api.GET('/api/external/v1/products/free-barcodes', { params }))).data.barcodes
    },
  })
}
