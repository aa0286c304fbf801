import { Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { Select } from '../../../components/forms/select/select.tsx'
import { useListState } from '../../../components/lists/list-state.ts'
import { Loaded } from '../../../components/page.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { MessagesFrame } from '../frame.tsx'
import { reportTexts } from './report-texts.ts'
import { ReportOfTemplates } from './template-report.tsx'

const PERIODS = ['7', '30', '90'] as const

/** The results of the messages of each template. The period is kept in the address. */
export function Results() {
  const texts = useTexts(reportTexts)
  const [{ period: asked }, setPeriod] = useListState({ period: '30', page: 1 })
  const period = PERIODS.find((one) => one === asked) ?? '30'
  const report = useQuery({
    queryKey: ['messages', 'report', period],
    placeholderData: keepPreviousData,
    queryFn: () =>
      dataOf(
        api.GET('/api/external/notify-template/report', { params: { query: { days: Number(period) } } }),
      ),
  })
  return (
    <MessagesFrame>
      <Stack aria-busy={report.isPlaceholderData}>
        <Loaded query={report}>
          {({ data }) => (
            <ReportOfTemplates
              report={data}
              isOwn
              period={
                <Select
                  label={texts.period}
                  w={160}
                  allowDeselect={false}
                  value={period}
                  onChange={(value) => value !== null && setPeriod({ period: value })}
                  data={PERIODS.map((value) => ({ value, label: texts.periods[value] }))}
                />
              }
            />
          )}
        </Loaded>
      </Stack>
    </MessagesFrame>
  )
}
