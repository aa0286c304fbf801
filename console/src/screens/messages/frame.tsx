import { Button } from '@mantine/core'
import { IconSend, IconUsersGroup } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Page } from '../../components/page.tsx'
import { RouteTabs } from '../../components/route-tabs.tsx'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import { audienceTexts } from './audiences/audience-texts.ts'
import { batchTexts } from './batches/batch-texts.ts'
import { reportTexts } from './results/report-texts.ts'
import { messageTexts } from './texts.ts'

/** The lists of messages, each at its own address, with the actions for sending and those of the list. */
export function MessagesFrame({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  const texts = useTexts(messageTexts)
  const batch = useTexts(batchTexts)
  const report = useTexts(reportTexts)
  const audience = useTexts(audienceTexts)
  const { canWrite } = useSession()
  return (
    <Page
      title={texts.title}
      actions={
        <>
          {actions}
          {canWrite && (
            <>
              <Button
                component={Link}
                to="/messages/batches/new"
                variant="default"
                leftSection={<IconUsersGroup size={16} />}
              >
                {batch.add}
              </Button>
              <Button component={Link} to="/messages/send" leftSection={<IconSend size={16} />}>
                {texts.send}
              </Button>
            </>
          )}
        </>
      }
    >
      <RouteTabs
        tabs={{
          '/messages': texts.history,
          '/messages/batches': batch.title,
          '/messages/audiences': audience.title,
          '/messages/results': report.title,
        }}
      >
        {children}
      </RouteTabs>
    </Page>
  )
}
