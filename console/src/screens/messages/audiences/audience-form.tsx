import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import type { Audience } from '../../../api/rows.ts'
import { useAction } from '../../../components/actions.tsx'
import { useEdit } from '../../../components/concurrent-edits/use-edit.ts'
import { useKeptForm } from '../../../components/forms/kept-form.ts'
import { useSentOnce } from '../../../components/forms/sent-once.ts'
import { ProblemNote } from '../../../components/page.tsx'
import { formatNumber } from '../../../format.ts'
import { useSession } from '../../../shell/session.tsx'
import { common } from '../../../texts/common.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { audiencesQuery, countQuery } from './audience-queries.ts'
import { audienceTexts } from './audience-texts.ts'
import { ConditionFields } from './condition-fields.tsx'
import { conditionsOf, type Draft, draftOf, newDraft, STARTS } from './conditions.ts'
import { conditionsInWords } from './in-words.ts'

const MOST_CONDITIONS = 10
const COUNT_AFTER_MS = 400

type AudienceBody = Pick<Audience, 'name' | 'match' | 'conditions'>
type Values = { name: string; match: Audience['match']; drafts: Draft[] }

const valuesOf = (audience: Audience | undefined): Values => ({
  name: audience?.name ?? '',
  match: audience?.match ?? 'all',
  drafts: audience?.conditions.map(draftOf) ?? [newDraft()],
})

/** The form of a new audience, or of the given one, with its current number of customers. */
export function AudienceForm({ audience, onDone }: { audience: Audience | undefined; onDone: () => void }) {
  const texts = useTexts(audienceTexts)
  const { save } = useTexts(common)
  const { language } = useLanguage()
  const client = useQueryClient()
  const formName = `audience ${audience?._id ?? 'new'}`
  const form = useKeptForm<Values>(formName, valuesOf(audience))
  const edit = useEdit({
    name: formName,
    record: audience,
    valuesOf,
    read: async () => {
      const all = await client.fetchQuery({ ...audiencesQuery, staleTime: 0 })
      return all.find(({ _id }) => _id === audience?._id)!
    },
    put: form.put,
    labels: { name: texts.name, match: texts.match, drafts: texts.conditions },
    show: {
      match: (value) => texts.matches[value],
      drafts: (given) => conditionsInWords(conditionsOf(given) ?? [], texts, language).join('\n'),
    },
    // Each form gives its conditions new ids.
    essence: { drafts: conditionsOf },
  })
  const once = useSentOnce<AudienceBody>(`audience ${useSession().shop?._id}`)
  const { drafts, match } = form.values
  const conditions = conditionsOf(drafts)
  const saving = useAction({
    form,
    run: (values: Values) =>
      edit.save(values, async ({ name, match, drafts }, headers) => {
        const body = { name, match, conditions: conditionsOf(drafts)! }
        if (audience === undefined)
          return once.send(
            body,
            async (key) =>
              (await dataOf(api.POST('/api/external/v1/audiences', { body, headers: key }))).data,
          )
        const params = { path: { id: audience._id } }
        return (await dataOf(api.PATCH('/api/external/v1/audiences/{id}', { params, body, headers }))).data
      }),
    stale: [['audiences', 'list']],
    done: texts.saved,
    quiet: true,
    onDone,
  })
  const put = (changed: Draft[]) => form.setFieldValue('drafts', changed)
  return (
    <form
      onSubmit={form.onSubmit((values) => {
        if (conditions !== undefined) saving.mutate(values)
      })}
    >
      <Stack>
        {saving.error !== null && <ProblemNote error={saving.error} />}
        {audience === undefined && (
          <Group gap="xs">
            <Text size="sm">{texts.starts}:</Text>
            {Object.entries(STARTS).map(([name, drafts]) => (
              <Button
                key={name}
                size="xs"
                variant="default"
                onClick={() => {
                  const title = texts.startNames[name as keyof typeof STARTS]
                  // A name that the person typed stays; that of another start does not.
                  const typed = form.values.name.trim()
                  const isTyped = typed !== '' && !Object.values<string>(texts.startNames).includes(typed)
                  form.setValues({ name: isTyped ? typed : title, match: 'all', drafts: drafts() })
                }}
              >
                {texts.startNames[name as keyof typeof STARTS]}
              </Button>
            ))}
          </Group>
        )}
        <TextInput
          label={texts.name}
          required
          maxLength={200}
          autoFocus
          data-autofocus
          {...form.getInputProps('name')}
        />
        {drafts.map((draft, place) => (
          <ConditionFields
            key={draft.id}
            number={place + 1}
            draft={draft}
            onChange={(changed) => put(drafts.map((one) => (one.id === changed.id ? changed : one)))}
            onRemove={drafts.length === 1 ? undefined : () => put(drafts.filter(({ id }) => id !== draft.id))}
          />
        ))}
        <Group justify="space-between">
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            disabled={drafts.length === MOST_CONDITIONS}
            onClick={() => put([...drafts, newDraft()])}
          >
            {texts.addCondition}
          </Button>
          {drafts.length > 1 && (
            <SegmentedControl
              aria-label={texts.match}
              data={Object.entries(texts.matches).map(([value, label]) => ({ value, label }))}
              {...form.getInputProps('match')}
            />
          )}
        </Group>
        {drafts.length === MOST_CONDITIONS && (
          <Text size="sm" c="dimmed">
            {texts.mostConditions(formatNumber(MOST_CONDITIONS, language))}
          </Text>
        )}
        <Count match={match} drafts={drafts} />
        <Group justify="flex-end">
          <Button type="submit" loading={saving.isPending}>
            {save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Count({ match, drafts }: { match: Audience['match']; drafts: Draft[] }) {
  const texts = useTexts(audienceTexts)
  const { language } = useLanguage()
  const [settled] = useDebouncedValue(drafts, COUNT_AFTER_MS)
  const conditions = conditionsOf(settled)
  const count = useQuery({
    ...countQuery(match, conditions ?? []),
    enabled: conditions !== undefined,
    placeholderData: keepPreviousData,
  })
  if (conditionsOf(drafts) === undefined) {
    return (
      <Text size="sm" c="dimmed">
        {texts.incomplete}
      </Text>
    )
  }
  if (count.error !== null) return <ProblemNote error={count.error} onRetry={() => count.refetch()} />
  const isCounting = count.data === undefined || count.isPlaceholderData || settled !== drafts
  const show = (value: number) => formatNumber(value, language)
  return (
    <Text role="status" aria-busy={isCounting} fw={600}>
      {isCounting ? texts.counting : texts.counted(show(count.data.customers))}
      {!isCounting && count.data.withoutPhone > 0 && (
        <Text span size="sm" c="dimmed">
          {` ${texts.withoutPhone(show(count.data.withoutPhone))}`}
        </Text>
      )}
    </Text>
  )
}
