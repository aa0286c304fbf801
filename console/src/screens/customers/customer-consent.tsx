import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Consent } from '../../api/rows.ts'
import { useAction } from '../../components/actions.tsx'
import { Badge } from '../../components/badge.tsx'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { useSentOnce } from '../../components/forms/sent-once.ts'
import { ProblemNote } from '../../components/page.tsx'
import { When } from '../../components/values.tsx'
import { WhatsThis } from '../../help/whats-this.tsx'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import { customerTexts } from './texts.ts'

/** The consent of the customer with this number to receive messages (G-77), newest first, and a form to record more. */
export function CustomerConsent({ phone }: { phone: string }) {
  const texts = useTexts(customerTexts)
  const { canWrite } = useSession()
  const history = useQuery({
    queryKey: ['consents', phone],
    queryFn: () => dataOf(api.GET('/api/external/v1/consents', { params: { query: { phone, limit: 5 } } })),
  })
  const said = history.data?.data
  return (
    <Stack gap="xs" component="section" aria-label={texts.consent}>
      <Group gap={6}>
        <Text fw={600} size="sm">
          {texts.consent}
        </Text>
        <WhatsThis term="consent" of={texts.consent} />
      </Group>
      {history.error !== null && <ProblemNote error={history.error} />}
      {said?.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.consentStatus.none}
        </Text>
      )}
      {said?.map((one) => (
        <Group key={one._id} gap="xs">
          <Badge tone={one.status === 'withdrawn' ? 'bad' : 'good'}>{texts.consentStatus[one.status]}</Badge>
          <Text size="sm">
            <When at={one.at} />, {one.source}
          </Text>
        </Group>
      ))}
      {canWrite && <RecordConsent phone={phone} />}
    </Stack>
  )
}

function RecordConsent({ phone }: { phone: string }) {
  const texts = useTexts(customerTexts)
  const form = useKeptForm(`consent ${phone}`, { source: '' })
  const once = useSentOnce<Pick<Consent, 'phone' | 'status' | 'source'>>(`consent ${phone}`)
  const recording = useAction({
    form,
    run: (status: Consent['status']) => {
      const body = { phone, status, source: form.values.source }
      return once.send(body, (headers) => dataOf(api.POST('/api/external/v1/consents', { body, headers })))
    },
    stale: [['consents', phone], ['batches']],
    done: texts.consentSaved,
    quiet: true,
    onDone: () => form.clear(),
  })
  return (
    <>
      {recording.error !== null && <ProblemNote error={recording.error} />}
      <TextInput
        label={texts.consentSource}
        description={texts.consentSourceHint}
        {...form.getInputProps('source')}
      />
      <Group>
        {(['withdrawn', 'granted'] as const).map((status) => (
          <Button
            key={status}
            variant="default"
            size="xs"
            loading={recording.isPending}
            onClick={() => recording.mutate(status)}
          >
            {status === 'withdrawn' ? texts.withdraw : texts.grant}
          </Button>
        ))}
      </Group>
    </>
  )
}
