import { QueryClient } from '@tanstack/react-query'
import { Problem } from './problem.ts'

export const queryClient = new QueryClient({
  // Without a network, a request fails and the page says so. A paused one would wait without a word, and a change that was
  // discarded meanwhile would be made when the network returns.
  defaultOptions: {
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      // What became stale meanwhile is read again; with 'always', this must be asked for.
      refetchOnReconnect: true,
      staleTime: 10_000,
      // The client has already retried if that was safe, and a refusal is final.
      retry: (count, error) => !(error instanceof Problem) && count < 2,
    },
  },
})
