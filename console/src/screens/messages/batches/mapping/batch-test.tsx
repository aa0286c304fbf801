import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconDeviceMobileMessage } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../../../api/client.ts'
import { dataOf } from '../../../../api/problem.ts'
import { useAction } from '../../../../components/actions.tsx'
import { keptOf, useTyped } from '../../../../components/forms/kept-form.ts'
import { useSentOnce } from '../../../../components/forms/sent-once.ts'
import { WholeNumberInput } from '../../../../components/forms/whole-number-input.tsx'
import { ProblemNote } from '../../../../components/page.tsx'
import { formatVnd } from '../../../../format.ts'
import { useSession } from '../../../../shell/session.tsx'
import { common } from '../../../../texts/common.ts'
import { currentLanguage, useLanguage, useTexts } from '../../../../texts/language.tsx'
import type { Template } from '../../../templates/editor/draft.ts'
import { batchTexts } from '../batch-texts.ts'
import { LiveBatch } from '../live-batch.tsx'
import { type BatchMessage, type Mapping, misfitReason, refusedReason, valuesOf } from '../plan-batch.ts'
import type { Sheet } from '../sheet.ts'

/** The key under which this browser stores the person's recipient for tests. */
const placeOf = (channel: Mapping['channel']) => `shopbell.test-${channel}`

type Sent = { templateId: string; name: string; isTest: true; messages: [BatchMessage] }

/** Sends one row to oneself before the batch. The message is charged like any other, and marked as a test. */
export function BatchTest(props: { sheet: Sheet; template: Template; mapping: Mapping }) {
  const { sheet, template, mapping } = props
  const { rows, lines } = sheet
  const [firstLine = 1] = lines
  const texts = useTexts(batchTexts)
  const { unsure } = useTexts(common)
  const { language } = useLanguage()
  const { shop } = useSession()
  const { channel } = mapping
  const [known] = useState(() => localStorage.getItem(placeOf(channel)) ?? '')
  const [recipient, setRecipient] = useState(() => keptOf<string>('test recipient') ?? known)
  const typed = useTyped('test recipient', recipient, known)
  const [line, setLine] = useState(firstLine)
  const once = useSentOnce<Sent>(`batch test ${shop?._id}`)
  const fee = channel === 'phone' ? template.price : template.priceUID
  // Between two rows there may be empty lines.
  const row = rows[lines.findLastIndex((one) => one <= line)] ?? rows[0]!
  const { values, misfits } = valuesOf(row, mapping)
  const message = {
    ...(channel === 'phone' ? { receiverPhone: recipient } : { userUID: recipient }),
    params: values,
  }
  const body: Sent = {
    templateId: template._id,
    name: texts.testName(template.name),
    isTest: true,
    messages: [message],
  }
  const sending = useAction({
    run: (test: Sent) =>
      once.send(test, (headers) =>
        dataOf(api.POST('/api/external/notify-message/batches', { body: test, headers })),
      ),
    stale: [['batches'], ['wallet']],
    quiet: true,
    onDone: () => {
      localStorage.setItem(placeOf(channel), recipient)
      typed.saved()
    },
  })
  const sent = sending.data?.data
  const refused = sent?.refused[0]
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        sending.mutate(body)
      }}
    >
      <Stack gap="xs">
        <Title order={3} size="h5">
          {texts.test}
        </Title>
        <Text size="sm" c="dimmed">
          {texts.testHint(fee === undefined ? '' : formatVnd(fee, language))}
        </Text>
        <Group align="flex-end">
          <TextInput
            label={channel === 'phone' ? texts.testPhone : texts.testUid}
            type={channel === 'phone' ? 'tel' : 'text'}
            required
            value={recipient}
            onChange={(event) => setRecipient(event.currentTarget.value)}
          />
          <WholeNumberInput
            label={texts.row}
            w={100}
            min={firstLine}
            max={lines.at(-1)}
            value={line}
            onChange={(next) => next !== null && setLine(next)}
          />
          <Button
            type="submit"
            variant="default"
            leftSection={<IconDeviceMobileMessage size={16} />}
            loading={sending.isPending}
            disabled={misfits.length > 0}
          >
            {texts.sendTest}
          </Button>
        </Group>
        {misfits.map((misfit) => (
          <Text key={misfit.key} size="sm" c="red" role="alert">
            {texts.testRefused(misfitReason(misfit, template, texts.misfits))}
          </Text>
        ))}
        {once.isUnsure(body) && !sending.isPending && <Text size="sm">{unsure}</Text>}
        {sending.error !== null && <ProblemNote error={sending.error} />}
        {refused !== undefined && (
          <Text size="sm" c="red" role="alert">
            {texts.testRefused(refusedReason(refused, template, currentLanguage()))}
          </Text>
        )}
        {sent !== undefined && refused === undefined && <LiveBatch id={sent._id} />}
      </Stack>
    </form>
  )
}
