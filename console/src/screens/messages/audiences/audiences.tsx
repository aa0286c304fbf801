import { ActionIcon, Anchor, Button, Group, Text } from '@mantine/core'
import { IconPlus, IconSend, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import type { Audience } from '../../../api/rows.ts'
import { useAction } from '../../../components/actions.tsx'
import { ask } from '../../../components/dialogs/questions.tsx'
import { FormDialog } from '../../../components/forms/leave-question.tsx'
import { DataTable } from '../../../components/lists/data-table.tsx'
import { Card, EmptyState, Loaded, Waiting } from '../../../components/page.tsx'
import { When } from '../../../components/values.tsx'
import { useSession } from '../../../shell/session.tsx'
import { common } from '../../../texts/common.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { MessagesFrame } from '../frame.tsx'
import { audiencesQuery } from './audience-queries.ts'
import { audienceTexts } from './audience-texts.ts'
import { inWords } from './in-words.ts'

const AudienceForm = lazy(async () => ({ default: (await import('./audience-form.tsx')).AudienceForm }))

/** The shop's audiences, to edit them and to send messages to them. */
export function Audiences() {
  const texts = useTexts(audienceTexts)
  const { canWrite } = useSession()
  const audiences = useQuery(audiencesQuery)
  const [shown, setShown] = useState<Audience | 'new'>()
  const add = canWrite && (
    <Button leftSection={<IconPlus size={16} />} variant="default" onClick={() => setShown('new')}>
      {texts.add}
    </Button>
  )
  return (
    <MessagesFrame>
      <Card title={texts.title} term="audience" actions={add}>
        <Loaded query={audiences}>
          {(data) =>
            data.length === 0 ? (
              <EmptyState title={texts.emptyTitle} hint={texts.emptyHint} />
            ) : (
              <AudienceTable audiences={data} onOpen={setShown} />
            )
          }
        </Loaded>
      </Card>
      <FormDialog
        opened={shown !== undefined}
        onClose={() => setShown(undefined)}
        title={shown === 'new' ? texts.add : texts.edit}
        size="xl"
      >
        {shown !== undefined && (
          <Suspense fallback={<Waiting />}>
            <AudienceForm audience={shown === 'new' ? undefined : shown} onDone={() => setShown(undefined)} />
          </Suspense>
        )}
      </FormDialog>
    </MessagesFrame>
  )
}

function AudienceTable({
  audiences,
  onOpen,
}: {
  audiences: Audience[]
  onOpen: (audience: Audience) => void
}) {
  const texts = useTexts(audienceTexts)
  const words = useTexts(common)
  const { language } = useLanguage()
  const { canWrite } = useSession()
  return (
    <DataTable
      columns={[
        {
          title: texts.name,
          cell: (audience) =>
            canWrite ? (
              <Anchor
                component="button"
                type="button"
                size="sm"
                fw={500}
                ta="left"
                onClick={() => onOpen(audience)}
              >
                {audience.name}
              </Anchor>
            ) : (
              <Text size="sm" fw={500}>
                {audience.name}
              </Text>
            ),
        },
        { title: texts.conditions, cell: (audience) => inWords(audience, texts, language) },
        { title: words.updatedAt, cell: ({ updatedAt }) => <When at={updatedAt} /> },
        ...(canWrite
          ? [{ title: words.actions, cell: (audience: Audience) => <Actions audience={audience} /> }]
          : []),
      ]}
      rows={audiences}
      keyOf={({ _id }) => _id}
    />
  )
}

function Actions({ audience }: { audience: Audience }) {
  const { _id: id, name } = audience
  const texts = useTexts(audienceTexts)
  const words = useTexts(common)
  const deleting = useAction({
    run: () => dataOf(api.DELETE('/api/external/v1/audiences/{id}', { params: { path: { id } } })),
    stale: [['audiences', 'list']],
    done: texts.deleted,
  })
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      <Button
        component={Link}
        to="/messages/batches/new"
        search={{ audience: id } as never}
        aria-label={texts.sendTo(name)}
        size="xs"
        variant="light"
        leftSection={<IconSend size={14} />}
      >
        {texts.send}
      </Button>
      <ActionIcon
        variant="subtle"
        color="red"
        size="lg"
        aria-label={`${words.delete}: ${name}`}
        loading={deleting.isPending}
        onClick={() =>
          ask({
            title: words.confirmTitle,
            children: <Text size="sm">{texts.deleteQuestion(name)}</Text>,
            labels: { confirm: words.delete, cancel: words.cancel },
            confirmProps: { color: 'red' },
            onConfirm: () => deleting.mutate(undefined),
          })
        }
      >
        <IconTrash size={16} />
      </ActionIcon>
    </Group>
  )
}
