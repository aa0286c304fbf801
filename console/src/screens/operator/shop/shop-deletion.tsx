import { Alert, Box, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { ConfirmButton, useAction } from '../../../components/actions.tsx'
import { ask } from '../../../components/dialogs/questions.tsx'
import { useKeptForm } from '../../../components/forms/kept-form.ts'
import { Card, ProblemNote } from '../../../components/page.tsx'
import { When } from '../../../components/values.tsx'
import { common } from '../../../texts/common.ts'
import { useTexts } from '../../../texts/language.tsx'
import { operatorTexts } from '../texts.ts'
import { shopQuery } from './queries.ts'

type Deletion = { dueAt: string; exportedAt: string | null; erasingSince: string | null }
type Deleted = { _id: string; name: string; deletion: Deletion | null }

/** Deletes the shop after its name was typed, or withdraws the deletion (G-69). */
export function ShopDeletion({ shop }: { shop: Deleted }) {
  const { deletion: texts } = useTexts(operatorTexts)
  const words = useTexts(common)
  const form = useKeptForm(
    'deletion',
    { name: '' },
    {
      validate: { name: (typed) => (typed.trim() === shop.name ? null : texts.nameDiffers) },
    },
  )
  const path = { params: { path: { id: shop._id } } }
  const changing = useAction({
    run: (to: 'deleted' | 'kept') =>
      dataOf(
        to === 'deleted'
          ? api.PUT('/api/manage/v1/shops/{id}/deletion', { ...path, body: form.values })
          : api.DELETE('/api/manage/v1/shops/{id}/deletion', path),
      ),
    stale: [shopQuery(shop._id).queryKey],
    onDone: form.clear,
  })
  const submit = form.onSubmit(() => {
    ask({
      title: words.confirmTitle,
      children: <Text size="sm">{texts.question(shop.name)}</Text>,
      labels: { confirm: texts.delete, cancel: words.cancel },
      confirmProps: { color: 'red' },
      onConfirm: () => changing.mutate('deleted'),
    })
  })
  return (
    <Card title={texts.title}>
      <Stack align="flex-start">
        {changing.error !== null && <ProblemNote error={changing.error} />}
        {shop.deletion === null ? (
          <>
            <Text size="sm">{texts.hint}</Text>
            <Box component="form" w="100%" onSubmit={submit}>
              <Stack align="flex-start">
                <TextInput
                  label={texts.name(shop.name)}
                  maxLength={200}
                  autoComplete="off"
                  w="100%"
                  {...form.getInputProps('name')}
                />
                <Button type="submit" color="red" variant="light" loading={changing.isPending}>
                  {texts.delete}
                </Button>
              </Stack>
            </Box>
          </>
        ) : (
          <>
            <DeletionState deletion={shop.deletion} />
            {shop.deletion.erasingSince === null && (
              <Group>
                <Button
                  component="a"
                  href={`/api/manage/v1/shops/${shop._id}/export`}
                  download={`${shop._id}.ndjson`}
                >
                  {texts.export}
                </Button>
                <ConfirmButton
                  question={texts.keepQuestion(shop.name)}
                  confirm={texts.keep}
                  onConfirm={() => changing.mutate('kept')}
                >
                  {texts.keep}
                </ConfirmButton>
              </Group>
            )}
          </>
        )}
      </Stack>
    </Card>
  )
}

function DeletionState({ deletion: { dueAt, exportedAt, erasingSince } }: { deletion: Deletion }) {
  const { deletion: texts } = useTexts(operatorTexts)
  return (
    <Alert color="red" title={texts.asked} w="100%">
      <Text size="sm">
        {erasingSince === null ? texts.due : texts.erasing} <When at={erasingSince ?? dueAt} />
      </Text>
      <Text size="sm">
        {exportedAt === null ? (
          texts.notExported
        ) : (
          <>
            {texts.exported} <When at={exportedAt} />
          </>
        )}
      </Text>
    </Alert>
  )
}
