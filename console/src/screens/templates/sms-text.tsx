import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { SmsText } from '../../api/rows.ts'
import { ConfirmButton, useAction } from '../../components/actions.tsx'
import { useEdit } from '../../components/concurrent-edits/use-edit.ts'
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
          {({ data: { __v, smsFallback } }) => (
            <>
              {smsFallback !== null && <Size sms={smsFallback} />}
              {canWrite ? (
                <TextForm id={id} params={params} saved={{ __v, smsFallback }} />
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

type Saved = { __v: number; smsFallback: SmsText | null }
type Values = { text: string }

const valuesOf = ({ smsFallback }: Saved): Values => ({ text: smsFallback?.text ?? '' })

function TextForm(props: { id: string; params: { key: string }[]; saved: Saved }) {
  const { id, params, saved } = props
  const texts = useTexts(smsTexts)
  const path = { params: { path: { id } } }
  const stale = [['template', id, 'sms']]
  const form = useKeptForm('sms text', valuesOf(saved))
  const edit = useEdit({
    name: 'sms text',
    record: saved,
    valuesOf,
    read: async () => (await dataOf(api.GET('/api/external/notify-template/{id}/sms-text', path))).data,
    put: form.put,
    labels: { text: texts.text },
  })
  /** No text: no SMS is sent for the template. */
  const set = (values: Values) =>
    edit.save(values, async ({ text }, headers) => {
      const body = { text: text === '' ? null : text }
      const answer = api.PUT('/api/external/notify-template/{id}/sms-text', { ...path, body, headers })
      return (await dataOf(answer)).data
    })
  const saving = useAction({ form, run: set, stale, done: texts.saved, quiet: true })
  const removing = useAction({
    run: () => set({ text: '' }),
    stale,
    onDone: (now) => form.put(valuesOf(now), true),
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
          {saved.smsFallback === null ? (
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
