import { ActionIcon, Anchor } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useAction } from '../../../components/actions.tsx'
import { ask } from '../../../components/dialogs/questions.tsx'
import { type Column, DataTable } from '../../../components/lists/data-table.tsx'
import { EmptyState, Loaded } from '../../../components/page.tsx'
import { When } from '../../../components/values.tsx'
import { useSession } from '../../../shell/session.tsx'
import { common } from '../../../texts/common.ts'
import { useTexts } from '../../../texts/language.tsx'
import { dropUnfinished, type Unfinished, unfinishedListQuery } from './unfinished.ts'
import { unfinishedTexts } from './unfinished-texts.ts'

type Head = Omit<Unfinished, 'content'>

/** The unfinished templates, each to be continued or deleted. */
export function UnfinishedList() {
  const texts = useTexts(unfinishedTexts)
  const words = useTexts(common)
  const { canWrite } = useSession()
  const unfinished = useQuery(unfinishedListQuery)
  const nameOf = ({ name }: Head) => name.trim() || texts.nameless
  const columns: Column<Head>[] = [
    {
      title: words.name,
      maxWidth: 380,
      cell: (one) =>
        canWrite ? (
          <Anchor
            component={Link}
            to="/templates/new"
            search={{ unfinished: one._id } as never}
            fw={500}
            size="sm"
          >
            {nameOf(one)}
          </Anchor>
        ) : (
          nameOf(one)
        ),
    },
    { title: words.updatedAt, cell: ({ updatedAt }) => <When at={updatedAt} /> },
    ...(canWrite ? [{ cell: (one: Head) => <Remove one={one} name={nameOf(one)} />, width: 56 }] : []),
  ]
  return (
    <Loaded query={unfinished}>
      {({ data }) =>
        data.length === 0 ? (
          <EmptyState title={texts.emptyTitle} hint={texts.emptyHint} />
        ) : (
          <DataTable columns={columns} rows={data} keyOf={({ _id }) => _id} />
        )
      }
    </Loaded>
  )
}

function Remove({ one, name }: { one: Head; name: string }) {
  const texts = useTexts(unfinishedTexts)
  const words = useTexts(common)
  const remove = useAction({
    run: () => dropUnfinished(one),
    stale: [unfinishedListQuery.queryKey],
    done: texts.removed,
  })
  return (
    <ActionIcon
      variant="subtle"
      color="red"
      aria-label={texts.remove(name)}
      loading={remove.isPending}
      onClick={() =>
        ask({
          title: words.confirmTitle,
          children: texts.question,
          labels: { confirm: words.delete, cancel: words.cancel },
          confirmProps: { color: 'red' },
          onConfirm: () => remove.mutate(undefined),
        })
      }
    >
      <IconTrash size={16} />
    </ActionIcon>
  )
}
