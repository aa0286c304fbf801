import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { useAction } from '../../../components/actions.tsx'

/** Requests this many in-store barcodes that no product of the shop has. */
export function useBarcodes() {
  return useAction({
    stale: [],
    run: async (count: number) => {
      const params = { query: { count } }
      return (await dataOf(api.GET('/api/external/v1/products/free-barcodes', { params }))).data.barcodes
    },
  })
}
