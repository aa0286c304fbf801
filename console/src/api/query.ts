import { QueryClient } from '@tanstack/react-query'
import { Problem } from './problem.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // The client has repeated what may be repeated; a refusal stays one.
      retry: (count, error) => !(error instanceof Problem) && count < 2,
    },
  },
})
