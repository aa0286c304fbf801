import { ActionIcon, Anchor, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAction } from '../../../components/actions.tsx'
import { Badge } from '../../../components/badge.tsx'
import { ask } from '../../../components/dialogs/questions.tsx'
import { type Column, DataTable } from '../../../components/lists/data-table.tsx'
import { EmptyState, Loaded } from '../../../components/page.tsx'
import { When } from '../../../components/values.tsx'
import { useSession } from '../../../shell/session.tsx'
import { common } from '../../../texts/common.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { newsTexts } from '../texts.ts'
import { type DraftHead, draftListQuery, dropDraft } from './draft.ts'
import { draftTexts } from './draft-texts.ts'
import { reasonOf } from './publishing.tsx'

const REFRESH_MS = 10_000

/** The articles that are being written or wait to be published; each can be continued or deleted. */
export function DraftList({ add }: { add: ReactNode }) {
  const texts = useTexts(draftTexts)
  const news = useTexts(newsTexts)
  const words = useTexts(common)
  const { canWrite } = useSession()
  // The service publishes drafts at their time, so the list changes by itself.
  const drafts = useQuery({ ...draftListQuery, refetchInterval: REFRESH_MS })
  const columns: Column<DraftHead>[] = [
    {
      title: news.headline,
      maxWidth: 480,
      cell: (draft) => (
        <Anchor
          component={Link}
          to="/news/new"
          search={{ draft: draft._id } as never}
          fw={500}
          size="sm"
          lineClamp={2}
        >
          {draft.title.trim() || texts.untitled}
        </Anchor>
      ),
    },
    { title: words.status, maxWidth: 360, cell: (draft) => <State draft={draft} /> },
    { title: texts.publishAt, cell: ({ publishAt }) => <When at={publishAt} /> },
    { title: words.updatedAt, cell: ({ updatedAt }) => <When at={updatedAt} /> },
    ...(canWrite ? [{ cell: (draft: DraftHead) => <Remove draft={draft} />, width: 56 }] : []),
  ]
  return (
    <Loaded query={drafts}>
      {(rows) =>
        rows.length === 0 ? (
          <EmptyState title={texts.emptyTitle} hint={texts.emptyHint} action={add} />
        ) : (
          <DataTable columns={columns} rows={rows} keyOf={({ _id }) => _id} />
        )
      }
    </Loaded>
  )
}

/** A draft's state, and why it was not published at its time. */
function State({ draft }: { draft: DraftHead }) {
  const texts = useTexts(draftTexts)
  const { language } = useLanguage()
  if (draft.problem !== null)
    return (
      <Stack gap={4} align="flex-start">
        <Badge tone="bad">{texts.failed}</Badge>
        <Text size="xs">{reasonOf(draft, texts, language)}</Text>
      </Stack>
    )
  return draft.publishAt === null ? (
    <Badge tone="quiet">{texts.draft}</Badge>
  ) : (
    <Badge tone="busy">{texts.waiting}</Badge>
  )
}

function Remove({ draft: { _id: id, title } }: { draft: DraftHead }) {
  const texts = useTexts(draftTexts)
  const words = useTexts(common)
  const name = title.trim() || texts.untitled
  const removing = useAction({
    run: () => dropDraft(id),
    stale: [draftListQuery.queryKey],
    done: texts.removed,
  })
  return (
    <ActionIcon
      variant="subtle"
      color="red"
      size="lg"
      aria-label={texts.remove(name)}
      loading={removing.isPending}
      onClick={() =>
        ask({
          title: words.confirmTitle,
          children: texts.question(name),
          labels: { confirm: words.delete, cancel: words.cancel },
          confirmProps: { color: 'red' },
          onConfirm: () => removing.mutate(undefined),
        })
      }
    >
      <IconTrash size={16} />
    </ActionIcon>
  )
}
