import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { SmsText } from '../../api/rows.ts'
import { ConfirmButton, useAction } from '../../components/actions.tsx'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { Card, Loaded, ProblemNote } from '../../components/page.tsx'
import { Money } from '../../components/values.tsx'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import { smsTexts } from './sms-texts.ts'

/** The text that is sent as SMS when a message of the template cannot reach its recipient (G-91). */
export function TemplateSms({ id, params }: { id: string; params: { key: string }[] }) {
  const texts = useTexts(smsTexts)
  const { canWrite } = useSession()
  const text = useQuery({
    queryKey: ['template', id, 'sms'],
    queryFn: () =>
      dataOf(api.GET('/api/external/notify-template/{id}/sms-text', { params: { path: { id } } })),
  })
  return (
    <Card title={texts.title} term="smsFallback">
      <Stack>
        <Text size="sm">{texts.hint}</Text>
        <Loaded query={text}>
          {({ data: { smsFallback } }) => (
            <>
              {smsFallback !== null && <Size sms={smsFallback} />}
              {canWrite ? (
                <TextForm key={smsFallback?.updatedAt ?? 'none'} id={id} params={params} sms={smsFallback} />
              ) : (
                <Text>{smsFallback?.text ?? texts.none}</Text>
              )}
            </>
          )}
        </Loaded>
      </Stack>
    </Card>
  )
}

function Size({ sms: { parts, mostParts, price } }: { sms: SmsText }) {
  const texts = useTexts(smsTexts)
  return (
    <Text size="sm" c={price === null ? 'orange' : undefined}>
      {texts.size(parts, mostParts)}
      {price === null ? ` ${texts.noSender}` : null}
      {price !== null && (
        <>
          {' '}
          {texts.price}: <Money vnd={price} />
        </>
      )}
    </Text>
  )
}

function TextForm(props: { id: string; params: { key: string }[]; sms: SmsText | null }) {
  const { id, params, sms } = props
  const texts = useTexts(smsTexts)
  const path = { params: { path: { id } } }
  const stale = [['template', id, 'sms']]
  const form = useKeptForm('sms text', { text: sms?.text ?? '' })
  const saving = useAction({
    form,
    run: (body: typeof form.values) =>
      dataOf(api.PUT('/api/external/notify-template/{id}/sms-text', { ...path, body })),
    stale,
    done: texts.saved,
    quiet: true,
  })
  const removing = useAction({
    run: () =>
      dataOf(api.PUT('/api/external/notify-template/{id}/sms-text', { ...path, body: { text: null } })),
    stale,
  })
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))}>
      <Stack>
        {saving.error !== null && <ProblemNote error={saving.error} />}
        <Textarea
          label={texts.text}
          description={texts.params(params.map(({ key }) => `<${key}>`).join(' '))}
          required
          autosize
          minRows={2}
          maxLength={1_000}
          {...form.getInputProps('text')}
        />
        <Group justify="space-between">
          {sms === null ? (
            <span />
          ) : (
            <ConfirmButton
              size="sm"
              question={texts.removeQuestion}
              confirm={texts.remove}
              onConfirm={() => removing.mutate(undefined)}
            >
              {texts.remove}
            </ConfirmButton>
          )}
          <Button type="submit" loading={saving.isPending}>
            {texts.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
