import { Alert, Button, Checkbox, Grid, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { dataOf, Problem } from '../../api/problem.ts'
import { queryClient } from '../../api/query.ts'
import { useAction } from '../../components/actions.tsx'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { useSentOnce } from '../../components/forms/sent-once.ts'
import { Card, EmptyState, Loaded, Page, ProblemNote } from '../../components/page.tsx'
import { formatPhone, formatVnd } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { shownOf, type Template } from '../templates/editor/draft.ts'
import { Phone } from '../templates/phone.tsx'
import { templateQuery } from '../templates/queries.ts'
import { ChannelChoice } from './channel-choice.tsx'
import { reasonOf } from './message-record.ts'
import { NoTemplate } from './no-template.tsx'
import { type Outgoing, ParamInputs, valueProblems } from './param-inputs.tsx'
import { paramLabelOf } from './param-label.ts'
import { allTemplatesQuery, messageQuery, sendableQuery } from './queries.ts'
import { TemplateSelect } from './template-select.tsx'
import { messageTexts } from './texts.ts'

type Start = { template: Template | undefined; values: Outgoing; isResend: boolean }

/** Sends a message to one recipient. `?template=` chooses a template to try, `?from=` fills in an earlier message again. */
export function SendMessage() {
  const texts = useTexts(messageTexts)
  const { noRight } = useTexts(common)
  const { canWrite } = useSession()
  const { template, from } = useSearch({ strict: false }) as { template?: string; from?: string }
  const start = useQuery({
    queryKey: ['messages', 'start', template, from],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    enabled: canWrite,
    queryFn: async () => {
      const begun = await startOf(template, from)
      if (begun.template !== undefined) return begun
      return (await queryClient.fetchQuery(sendableQuery('', true))).length === 0 ? null : begun
    },
  })
  if (!canWrite) return <EmptyState title={texts.sendTitle} hint={noRight} />
  return (
    <Loaded query={start}>
      {(data) => (data === null ? <NoTemplate title={texts.sendTitle} /> : <SendForm start={data} />)}
    </Loaded>
  )
}

async function startOf(templateId: string | undefined, messageId: string | undefined): Promise<Start> {
  const values: Outgoing = { channel: 'phone', phone: '', uid: '', isSample: false, params: {} }
  if (messageId !== undefined) {
    const { data } = await queryClient.fetchQuery(messageQuery(messageId))
    const { templates } = await queryClient.fetchQuery(allTemplatesQuery)
    const kept = Object.entries(reasonOf(data.reason)?.params ?? {}).filter(([, value]) => !isMasked(value))
    return {
      template: templates.find((one) => one.templateId === data.templateId && one.status === 'ENABLE'),
      values: {
        ...values,
        channel: data.phone === '' ? 'uid' : 'phone',
        phone: formatPhone(data.phone),
        uid: data.userUID ?? '',
        params: Object.fromEntries(kept),
      },
      isResend: true,
    }
  }
  if (templateId === undefined) return { template: undefined, values, isResend: false }
  const { data } = await queryClient.fetchQuery(templateQuery(templateId))
  return { template: data, values: { ...values, isSample: true }, isResend: false }
}

/** A sent OTP is stored as asterisks. */
function isMasked(value: string): boolean {
  return /[*•]{2,}/.test(value)
}

function SendForm({ start }: { start: Start }) {
  const texts = useTexts(messageTexts)
  const navigate = useNavigate()
  const [template, setTemplate] = useState(start.template)
  const form = useKeptForm<Outgoing>('message', start.values)
  const { values } = form
  const { shop } = useSession()
  const { unsure: unsureWords } = useTexts(common)
  const recipient = values.channel === 'phone' ? values.phone : values.uid
  const once = useSentOnce<Sent>(`message ${shop?._id} ${recipient}`)
  const sending = useAction({
    form: { saved: form.saved },
    run: async () => {
      const body = sentOf(template!, values)
      return (await once.send(body, (headers) => send(body, headers))).data.message_id
    },
    stale: [['messages'], ['wallet'], ['overview']],
    done: texts.sent,
    quiet: true,
    onDone: (id) => void navigate({ to: `/messages/${id}` }),
  })
  return (
    <Page title={texts.sendTitle} subtitle={start.isResend ? texts.resendHint : undefined}>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <form
            // The browser would name only the first field.
            noValidate
            onSubmit={form.onSubmit(() =>
              sending.mutate(undefined, {
                onError: (error) => {
                  if (!(error instanceof Problem)) return
                  form.setErrors({ ...valueProblems(template!, values, texts), ...fieldsOf(error) })
                },
              }),
            )}
          >
            <Card>
              <Stack>
                {sending.error !== null && <ProblemNote error={labelled(sending.error, template)} />}
                {template !== undefined && once.isUnsure(sentOf(template, values)) && !sending.isPending && (
                  <Alert color="yellow">{unsureWords}</Alert>
                )}
                <TemplateSelect
                  template={template}
                  withPending={values.isSample}
                  onChange={(chosen) => {
                    setTemplate(chosen)
                    form.clearErrors()
                  }}
                />
                <ChannelChoice
                  channel={values.channel}
                  onChange={(channel) => form.setFieldValue('channel', channel)}
                />
                {values.channel === 'phone' ? (
                  <>
                    <TextInput label={texts.byPhone} type="tel" required {...form.getInputProps('phone')} />
                    <Checkbox
                      label={texts.isSample}
                      description={texts.isSampleHint}
                      {...form.getInputProps('isSample', { type: 'checkbox' })}
                    />
                  </>
                ) : (
                  <TextInput label={texts.uid} required {...form.getInputProps('uid')} />
                )}
                {template !== undefined && <ParamInputs template={template} form={form} />}
                <Group justify="space-between">
                  <Fee template={template} values={values} />
                  <Button type="submit" loading={sending.isPending} disabled={template === undefined}>
                    {texts.send}
                  </Button>
                </Group>
              </Stack>
            </Card>
          </form>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          {template === undefined ? (
            <Alert variant="light">{texts.noTemplate}</Alert>
          ) : (
            <Phone shown={shownOf(template)} values={values.params} />
          )}
        </Grid.Col>
      </Grid>
    </Page>
  )
}

function Fee({ template, values }: { template: Template | undefined; values: Outgoing }) {
  const texts = useTexts(messageTexts)
  const { language } = useLanguage()
  const fee = values.channel === 'phone' ? template?.price : template?.priceUID
  if (values.channel === 'phone' && values.isSample) return <Text size="sm">{texts.free}</Text>
  return <Text size="sm">{fee === undefined ? '' : texts.fee(formatVnd(fee, language))}</Text>
}

/** The request's body, for a phone number or a UID. */
type Sent = { templateId: string } & (
  | { receiverPhone: string; isSample: boolean; params: Record<string, string> }
  | { userUID: string; templateData: Record<string, string> }
)

/** Contains only the non-empty values of this template's parameters; the service names those that are missing. */
function sentOf(template: Template, { channel, phone, uid, isSample, params }: Outgoing): Sent {
  const templateId = template._id
  const given = template.params
    .map(({ key }) => [key, params[key] ?? ''] as const)
    .filter(([, value]) => value !== '')
  const values = Object.fromEntries(given)
  return channel === 'phone'
    ? { templateId, receiverPhone: phone, isSample, params: values }
    : { templateId, userUID: uid, templateData: values }
}

async function send(body: Sent, headers: Record<'idempotency-key', string>) {
  return 'userUID' in body
    ? dataOf(api.POST('/api/external/chatapp/uid-notify/send-message', { body, headers }))
    : dataOf(api.POST('/api/external/notify-message/send', { body, headers }))
}

/** The error, with the template's parameters called by their labels. */
function labelled(error: unknown, template: Template | undefined): unknown {
  if (!(error instanceof Problem)) return error
  return error.named(paramLabelOf(template))
}

/** The refused fields under the form's names. */
function fieldsOf({ fields }: Problem): Record<string, string> {
  const named: Record<string, string> = { receiverPhone: 'phone', userUID: 'uid' }
  return Object.fromEntries(
    Object.entries(fields).map(([path, message]) => [
      named[path] ?? path.replace(/^templateData\./, 'params.'),
      message,
    ]),
  )
}
