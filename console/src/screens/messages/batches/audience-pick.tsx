import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
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
  /** Another audience was chosen, whose customers are read now. */
  onChoose: () => void
  onRead: (audience: Audience, members: AudienceMember[]) => void
}) {
  const { start, onChoose, onRead } = props
  const texts = useTexts(batchTexts)
  const { language } = useLanguage()
  const audiences = useQuery(audiencesQuery)
  const [chosen, setChosen] = useState<string | null>(null)
  const [count, setCount] = useState(0)
  /** The number of the latest choice; 0 if nothing was chosen, or another source was since. */
  const latest = useRef(0)
  const reading = useAction({
    run: async ({ audience }: { audience: Audience; choice: number }) => {
      setCount(0)
      return readMembers(audience._id, setCount)
    },
    stale: [],
    quiet: true,
    // The person may have chosen another audience, or another source, meanwhile.
    onDone: (members, { audience, choice }) => latest.current === choice && onRead(audience, members),
  })
  useEffect(
    () => () => {
      latest.current = 0
    },
    [],
  )
  const { mutate } = reading
  const read = useCallback(
    (audience: Audience) => {
      latest.current += 1
      // With its number, so that an audience that is being read can be chosen again after another one.
      mutate({ audience, choice: latest.current })
    },
    [mutate],
  )
  const first = audiences.data?.find(({ _id }) => _id === start)
  useEffect(() => {
    if (first === undefined || latest.current > 0) return
    setChosen(first._id)
    read(first)
  }, [first, read])
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
          onChoose()
          read(audience)
        }}
      />
      {reading.isPending && (
        <Text size="sm" mt={4} role="status">
          {texts.readingCustomers(formatNumber(count, language))}
        </Text>
      )}
      {reading.error !== null && (
        <ProblemNote
          error={reading.error}
          onRetry={() => reading.variables && read(reading.variables.audience)}
        />
      )}
      {reading.data !== undefined && !reading.isPending && (
        <Text size="sm" mt={4} role="status">
          {texts.customersRead(formatNumber(reading.data.length, language))}
        </Text>
      )}
    </div>
  )
}
