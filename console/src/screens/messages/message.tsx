import { Alert, Button, Grid, Group, Stack, Text, Timeline } from '@mantine/core'
import { IconRepeat } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Facts } from '../../components/facts.tsx'
import { Card, Loaded, Page } from '../../components/page.tsx'
import { Money, When } from '../../components/values.tsx'
import { WhatsThis } from '../../help/whats-this.tsx'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { shownOf } from '../templates/editor/draft.ts'
import { Phone } from '../templates/phone.tsx'
import { recipientOf, StateBadge } from './message-parts.tsx'
import { hasBeginning, type MessageDetail, reasonOf, settledFee, stateOf } from './message-record.ts'
import { paramLabelOf } from './param-label.ts'
import { allTemplatesQuery, messageQuery } from './queries.ts'
import { messageTexts } from './texts.ts'

const REFRESH_MS = 2_000

/** One message in any state, refreshed until its state is final. */
export function Message() {
  const texts = useTexts(messageTexts)
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const { canWrite } = useSession()
  const message = useQuery({
    ...messageQuery(id),
    refetchInterval: ({ state }) => (isOpen(state.data?.data) ? REFRESH_MS : false),
  })
  return (
    <Loaded query={message}>
      {({ data }) => (
        <Page
          title={`${texts.message} · ${recipientOf(data)}`}
          subtitle={<State message={data} />}
          actions={
            canWrite &&
            !isUnsettled(data) && (
              <Button
                component={Link}
                to="/messages/send"
                search={{ from: data._id } as never}
                leftSection={<IconRepeat size={16} />}
              >
                {texts.resend}
              </Button>
            )
          }
        >
          {data.status === 'ERROR' && (
            <Alert
              color={stateOf(data) === 'CANCELLED' ? 'gray' : 'red'}
              variant="light"
              title={texts.reason}
            >
              {reasonOf(data.reason)?.error}
            </Alert>
          )}
          {data.late && <Alert color="orange">{texts.late}</Alert>}
          <Grid gap="md">
            <Grid.Col span={{ base: 12, md: 5 }}>
              <Received message={data} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 7 }}>
              <Stack>
                <MessageFacts message={data} />
                <Events message={data} />
              </Stack>
            </Grid.Col>
          </Grid>
        </Page>
      )}
    </Loaded>
  )
}

function State({ message }: { message: MessageDetail }) {
  const { isTest } = message
  const state = stateOf(message)
  const { statuses, test } = useTexts(messageTexts)
  return (
    <Group gap={6}>
      <StateBadge state={state} />
      {isTest && <Badge tone="quiet">{test}</Badge>}
      {state === 'UNKNOWN' && <WhatsThis term="unknownOutcome" of={statuses.UNKNOWN} />}
    </Group>
  )
}

function isUnsettled({ status }: MessageDetail): boolean {
  return status !== 'RECEIVED' && status !== 'ERROR'
}

/** Whether the message can still change: by an outcome, or by the receipt of an accepted message. */
function isOpen(message: MessageDetail | undefined): boolean {
  if (message === undefined || message.status === 'ERROR') return false
  if (isUnsettled(message)) return true
  // If the history was deleted, the receipt arrived long ago or will never come.
  return hasBeginning(message.events) && message.events.every(({ kind }) => kind !== 'receipt')
}

/** The message as the customer's phone shows it; hidden if its values were erased or its template is unknown. */
function Received({ message }: { message: MessageDetail }) {
  const texts = useTexts(messageTexts)
  const template = useTemplateOf(message)
  if (template === undefined) return null
  const passed = template.params.filter(({ isFixed }) => isFixed !== true)
  if (passed.some(({ key }) => message.params[key] === undefined)) return null
  return (
    <Card title={message.status === 'RECEIVED' ? texts.asReceived : texts.asSent}>
      <Phone shown={shownOf(template)} values={message.params} />
    </Card>
  )
}

function useTemplateOf({ templateId }: MessageDetail) {
  const templates = useQuery(allTemplatesQuery)
  return templates.data?.templates.find((template) => template.templateId === templateId)
}

function MessageFacts({ message }: { message: MessageDetail }) {
  const texts = useTexts(messageTexts)
  const words = useTexts(common)
  const template = useTemplateOf(message)
  const labelOf = paramLabelOf(template)
  const facts: [string, ReactNode][] = [
    [texts.recipient, recipientOf(message)],
    [texts.template, template?.name ?? message.templateId],
    [texts.platformId, message.sessionId],
    [texts.deliveredBy, message.deliveredBy === null ? '' : <Way key="by" by={message.deliveredBy} />],
    [words.createdAt, <When key="created" at={message.createdAt} />],
    ...Object.entries(message.params).map(([key, value]): [string, ReactNode] => [
      labelOf(`params.${key}`) ?? `<${key}>`,
      value,
    ]),
  ]
  return (
    <Card>
      <Facts facts={facts} />
    </Card>
  )
}

/** What the message went by. */
function Way({ by }: { by: NonNullable<MessageDetail['deliveredBy']> }) {
  const { ways } = useTexts(messageTexts)
  return (
    <Group gap={6}>
      {ways[by]}
      {by === 'uid' && <WhatsThis term="uid" of={ways.uid} />}
    </Group>
  )
}

function Events({ message }: { message: MessageDetail }) {
  const { events } = message
  const fee = settledFee(message)
  const texts = useTexts(messageTexts)
  const { olderSteps } = useTexts(common)
  return (
    <Card title={texts.timeline}>
      {!hasBeginning(events) && (
        <Text size="sm" c="dimmed" mb={events.length > 0 ? 'sm' : 0}>
          {olderSteps}
        </Text>
      )}
      <Timeline active={events.length - 1} bulletSize={16} lineWidth={2}>
        {events.map((event) => (
          <Timeline.Item key={`${event.createdAt}:${event.kind}`} title={texts.events[event.kind]}>
            <Text size="xs" c="dimmed">
              <When at={event.createdAt} />
            </Text>
            <Stack gap={2} fz="sm">
              {event.reason !== undefined && <span>{event.reason}</span>}
              {event.fee !== undefined && (
                <span>
                  {texts.held}: <Money vnd={event.fee} />
                </span>
              )}
              {event.parts !== undefined && (
                <span>
                  {texts.parts}: {event.parts}
                </span>
              )}
              {event.charged !== undefined && (
                <span>
                  {texts.charged}: <Money vnd={event.charged} />
                </span>
              )}
            </Stack>
          </Timeline.Item>
        ))}
      </Timeline>
      {fee !== undefined && (
        <Text size="sm" mt="sm">
          {fee.isCharged ? texts.feeCharged : texts.events.released}: <Money vnd={fee.vnd} />
        </Text>
      )}
    </Card>
  )
}
