import { Grid, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { OfficialAccount } from '../../api/rows.ts'
import { Facts } from '../../components/facts.tsx'
import { Card, EmptyState, Loaded, Page, ProblemNote, Waiting } from '../../components/page.tsx'
import { Money } from '../../components/values.tsx'
import { WhatsThis } from '../../help/whats-this.tsx'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { draftOf, emptyDraft, type Template as Stored, shownOf } from './editor/draft.ts'
import { TemplateEditor } from './editor/editor.tsx'
import { Phone } from './phone.tsx'
import { accountsQuery, templateQuery } from './queries.ts'
import { TemplateSms } from './sms-text.tsx'
import { StatusBadge } from './status-badge.tsx'
import { StatusNote } from './status-note.tsx'
import { TemplateActions } from './template-actions.tsx'
import { templateTexts } from './texts.ts'
import { TemplateTimeline } from './timeline.tsx'
import { draftOfUnfinished, unfinishedQuery } from './unfinished/unfinished.ts'

/** A new template. */
export function NewTemplate() {
  const texts = useTexts(templateTexts)
  const { noRight } = useTexts(common)
  const { canWrite } = useSession()
  const accounts = useQuery(accountsQuery)
  const { unfinished } = useSearch({ strict: false }) as { unfinished?: string }
  if (!canWrite) return <EmptyState title={texts.newTitle} hint={noRight} />
  return (
    <Loaded query={accounts}>
      {({ data }) =>
        unfinished === undefined ? (
          <TemplateEditor
            key="new"
            template={undefined}
            initial={emptyDraft(data[0]?.oaId ?? '')}
            accounts={data}
          />
        ) : (
          <ContinuedTemplate key={unfinished} id={unfinished} accounts={data} />
        )
      }
    </Loaded>
  )
}

/** An unfinished template, as it was left. */
function ContinuedTemplate({ id, accounts }: { id: string; accounts: OfficialAccount[] }) {
  const unfinished = useQuery(unfinishedQuery(id))
  return (
    <Loaded query={unfinished}>
      {({ data }) => (
        <TemplateEditor
          template={undefined}
          unfinished={data}
          initial={draftOfUnfinished(data)}
          accounts={accounts}
        />
      )}
    </Loaded>
  )
}

/** A stored template: its editor if it can be edited, otherwise its preview and details. */
export function Template() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const { canWrite } = useSession()
  const template = useQuery(templateQuery(id))
  const accounts = useQuery(accountsQuery)
  if (template.data === undefined || accounts.data === undefined) {
    const error = template.error ?? accounts.error
    return error === null ? <Waiting /> : <ProblemNote error={error} onRetry={() => template.refetch()} />
  }
  const stored = template.data.data
  const isEditable = stored.status === 'DRAFT' || stored.status === 'REJECTED'
  if (!canWrite || !isEditable) return <TemplateView template={stored} />
  return (
    <TemplateEditor
      key={stored._id}
      template={stored}
      initial={draftOf(stored)}
      accounts={accounts.data.data}
    />
  )
}

function TemplateView({ template }: { template: Stored }) {
  return (
    <Page
      title={template.name}
      subtitle={<StatusBadge status={template.status} />}
      actions={<TemplateActions template={template} />}
    >
      <StatusNote template={template} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Phone shown={shownOf(template)} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack>
            <TemplateFacts template={template} />
            <TemplateSms id={template._id} params={template.params} />
            <TemplateTimeline id={template._id} status={template.status} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  )
}

function TemplateFacts({ template }: { template: Stored }) {
  const texts = useTexts(templateTexts)
  const { note } = useTexts(common)
  const accounts = useQuery(accountsQuery)
  const account = accounts.data?.data.find(({ oaId }) => oaId === template.oaId)
  const facts: [string, ReactNode][] = [
    [texts.type, texts.types[template.templateType]],
    [
      texts.tag,
      <Group key="tag" gap={6}>
        {texts.tags[template.tag]}
        <WhatsThis term="tag" of={texts.tag} />
      </Group>,
    ],
    [texts.account, account?.name ?? template.oaId],
    [texts.platformId, template.templateId],
    [`${texts.price} · ${texts.byPhone}`, template.price && <Money vnd={template.price} />],
    [
      `${texts.price} · ${texts.byUid}`,
      template.priceUID && (
        <Group gap={6}>
          <Money vnd={template.priceUID} />
          <WhatsThis term="uid" of={texts.byUid} />
        </Group>
      ),
    ],
    [note, template.note],
    ...template.params.map(({ key, label, sampleValue }): [string, ReactNode] => [
      `<${key}>`,
      `${label}${sampleValue === undefined ? '' : ` · ${texts.sample}: ${sampleValue}`}`,
    ]),
  ]
  return (
    <Card>
      <Facts facts={facts} />
    </Card>
  )
}
