import { Button } from '@mantine/core'
import { IconCopy, IconSend } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { ConfirmButton, useAction } from '../../components/actions.tsx'
import { useSentOnce } from '../../components/forms/sent-once.ts'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import type { Template } from './editor/draft.ts'
import { templateTexts } from './texts.ts'

/** The actions on a stored template, except editing. */
export function TemplateActions({ template }: { template: Template }) {
  const texts = useTexts(templateTexts)
  const words = useTexts(common)
  const { canWrite } = useSession()
  const navigate = useNavigate()
  const path = { path: { id: template._id } }
  const once = useSentOnce<string>(`duplicate ${template._id}`)
  const duplicating = useAction({
    run: () =>
      once.send(template._id, (headers) =>
        dataOf(api.POST('/api/external/notify-template/{id}/duplicate', { params: path, headers })),
      ),
    stale: [['templates', 'list']],
    done: texts.duplicated,
    onDone: ({ template: copy }) => void navigate({ to: `/templates/${copy._id}` }),
  })
  const deleting = useAction({
    run: () => dataOf(api.DELETE('/api/external/notify-template/{id}', { params: path })),
    stale: [['templates', 'list']],
    done: texts.deleted,
    onDone: () => void navigate({ to: '/templates', ignoreBlocker: true }),
  })
  if (!canWrite) return null
  const isSendable = template.status === 'ENABLE' || template.status === 'PENDING_REVIEW'
  const isDeletable = template.status === 'DRAFT' || template.status === 'REJECTED'
  return (
    <>
      {isSendable && (
        <Button
          component={Link}
          to="/messages/send"
          search={{ template: template._id } as never}
          leftSection={<IconSend size={16} />}
        >
          {texts.sendTest}
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconCopy size={16} />}
        loading={duplicating.isPending}
        onClick={() => duplicating.mutate(undefined)}
      >
        {texts.duplicate}
      </Button>
      {isDeletable && (
        <ConfirmButton
          question={texts.deleteQuestion}
          loading={deleting.isPending}
          onConfirm={() => deleting.mutate(undefined)}
        >
          {words.delete}
        </ConfirmButton>
      )}
    </>
  )
}
