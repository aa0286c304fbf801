import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { Loaded } from '../../../components/page.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { reportTexts } from '../../messages/results/report-texts.ts'
import { ReportOfTemplates } from '../../messages/results/template-report.tsx'

const DAYS = 30

/** The results of the messages of a shop's templates in the last days. */
export function ShopResults({ shopId }: { shopId: string }) {
  const texts = useTexts(reportTexts)
  const report = useQuery({
    queryKey: ['operator', 'shop', shopId, 'report'],
    queryFn: () =>
      dataOf(
        api.GET('/api/manage/v1/shops/{id}/template-report', {
          params: { path: { id: shopId }, query: { days: DAYS } },
        }),
      ),
  })
  return (
    <Loaded query={report}>
      {({ data }) => <ReportOfTemplates report={data} title={`${texts.title} · ${texts.periods[DAYS]}`} />}
    </Loaded>
  )
}
