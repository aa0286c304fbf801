import './theme/mantine.css'
import '@mantine/notifications/styles.css'
import './theme/fonts.css'
import './theme/tokens.css'
import './app.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query.ts'
import { fetchDialogs } from './components/dialogs/dialog.tsx'
import { Questions } from './components/dialogs/questions.tsx'
import { fetchPickers } from './components/forms/select/select.tsx'
import { fetchNotices, Notices } from './components/notices/notices.tsx'
import { install } from './installed.ts'
import { keepFocus } from './keep-focus.ts'
import { firstScreenOver } from './later.ts'
import { wordValidity } from './own-validity.ts'
import { router } from './router.tsx'
import { LanguageProvider } from './texts/language.tsx'
import { Themed } from './theme/themed.tsx'

const watch = async () => (await import('./shell/other-person.ts')).watchForOther()

install()
wordValidity()
keepFocus()
firstScreenOver
  .then(() => Promise.all([fetchDialogs(), fetchNotices(), fetchPickers(), watch()]))
  .catch(() => undefined)
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <LanguageProvider>
      <Themed>
        <QueryClientProvider client={queryClient}>
          <Questions />
          <Notices />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </Themed>
    </LanguageProvider>
  </StrictMode>,
)
