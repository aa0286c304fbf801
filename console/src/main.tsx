import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './theme/fonts.css'
import './theme/tokens.css'
import './app.css'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query.ts'
import { install } from './installed.ts'
import { wordValidity } from './own-validity.ts'
import { router } from './router.tsx'
import { LanguageProvider } from './texts/language.tsx'
import { Themed } from './theme/themed.tsx'

install()
wordValidity()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <LanguageProvider>
      <Themed>
        <QueryClientProvider client={queryClient}>
          <ModalsProvider>
            <Notifications position="bottom-left" limit={3} zIndex={400} />
            <RouterProvider router={router} />
          </ModalsProvider>
        </QueryClientProvider>
      </Themed>
    </LanguageProvider>
  </StrictMode>,
)
