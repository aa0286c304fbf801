import { Button, Tabs } from '@mantine/core'
import { IconFileSpreadsheet, IconSend } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Page } from '../../components/page.tsx'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import { batchTexts } from './batch-texts.ts'
import { messageTexts } from './texts.ts'

const PATHS = { history: '/messages', batches: '/messages/batches' } as const

/** The two lists of messages, each at its own address, and the ways to send. */
export function MessagesFrame({ tab, children }: { tab: keyof typeof PATHS; children: ReactNode }) {
  const texts = useTexts(messageTexts)
  const batch = useTexts(batchTexts)
  const { canWrite } = useSession()
  const navigate = useNavigate()
  return (
    <Page
      title={texts.title}
      actions={
        canWrite && (
          <>
            <Button
              component={Link}
              to="/messages/batches/new"
              variant="default"
              leftSection={<IconFileSpreadsheet size={16} />}
            >
              {batch.add}
            </Button>
            <Button component={Link} to="/messages/send" leftSection={<IconSend size={16} />}>
              {texts.send}
            </Button>
          </>
        )
      }
    >
      <Tabs value={tab} onChange={(next) => void navigate({ to: PATHS[next as keyof typeof PATHS] })}>
        <Tabs.List mb="md">
          <Tabs.Tab value="history">{texts.history}</Tabs.Tab>
          <Tabs.Tab value="batches">{batch.title}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="history">{tab === 'history' && children}</Tabs.Panel>
        <Tabs.Panel value="batches">{tab === 'batches' && children}</Tabs.Panel>
      </Tabs>
    </Page>
  )
}
