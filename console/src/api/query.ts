import { QueryClient } from '@tanstack/react-query'
import { Problem } from './problem.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // The client has already retried if that was safe, and a refusal is final.
      retry: (count, error) => !(error instanceof Problem) && count < 2,
    },
  },
})
