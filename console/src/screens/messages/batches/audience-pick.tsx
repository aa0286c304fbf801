import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { Audience, AudienceMember } from '../../../api/rows.ts'
import { useAction } from '../../../components/actions.tsx'
import { Select } from '../../../components/forms/select/select.tsx'
import { ProblemNote } from '../../../components/page.tsx'
import { formatNumber } from '../../../format.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { byFoldedText } from '../../../theme/pickers.ts'
import { audiencesQuery, readMembers } from '../audiences/audience-queries.ts'
import { batchTexts } from './batch-texts.ts'

/** Chooses an audience and reads its current customers. `start` is chosen initially. */
export function AudiencePick(props: {
  start: string | undefined
  onRead: (audience: Audience, members: AudienceMember[]) => void
}) {
  const { start, onRead } = props
  const texts = useTexts(batchTexts)
  const { language } = useLanguage()
  const audiences = useQuery(audiencesQuery)
  const [chosen, setChosen] = useState<string | null>(null)
  const [read, setRead] = useState(0)
  const latest = useRef<string>(undefined)
  const reading = useAction({
    run: async (audience: Audience) => {
      setRead(0)
      latest.current = audience._id
      return readMembers(audience._id, setRead)
    },
    stale: [],
    quiet: true,
    // The person may have chosen another audience, or another source, meanwhile.
    onDone: (members, audience) => latest.current === audience._id && onRead(audience, members),
  })
  useEffect(
    () => () => {
      latest.current = undefined
    },
    [],
  )
  const { mutate } = reading
  const first = audiences.data?.find(({ _id }) => _id === start)
  useEffect(() => {
    if (first === undefined || latest.current !== undefined) return
    setChosen(first._id)
    mutate(first)
  }, [first, mutate])
  if (audiences.data?.length === 0) {
    return (
      <Text size="sm">
        {texts.noAudiences}{' '}
        <Anchor component={Link} to="/messages/audiences" size="sm">
          {texts.makeAudience}
        </Anchor>
      </Text>
    )
  }
  return (
    <div>
      <Select
        label={texts.audience}
        description={texts.audienceHint}
        required
        searchable
        allowDeselect={false}
        filter={byFoldedText}
        data={(audiences.data ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
        value={chosen}
        onChange={(id) => {
          const audience = audiences.data?.find(({ _id }) => _id === id)
          if (audience === undefined) return
          setChosen(id)
          mutate(audience)
        }}
      />
      {reading.isPending && (
        <Text size="sm" mt={4} role="status">
          {texts.readingCustomers(formatNumber(read, language))}
        </Text>
      )}
      {reading.error !== null && (
        <ProblemNote error={reading.error} onRetry={() => reading.variables && mutate(reading.variables)} />
      )}
      {reading.data !== undefined && !reading.isPending && (
        <Text size="sm" mt={4} role="status">
          {texts.customersRead(formatNumber(reading.data.length, language))}
        </Text>
      )}
    </div>
  )
}
