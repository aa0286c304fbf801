import { useQuery } from '@tanstack/react-query'
import { formatDay, momentOf } from '../../../format.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { allTemplatesQuery } from '../queries.ts'
import { batchTexts } from './batch-texts.ts'
import type { Batch } from './plan-batch.ts'

/** Names a batch; one without a name is called by its template and time, such as `Xác nhận đơn hàng · 19:36 27/11`. */
export function useBatchName(): (batch: Pick<Batch, 'name' | 'templateId' | 'createdAt'>) => string {
  const { nameless } = useTexts(batchTexts)
  const { language } = useLanguage()
  const templates = useQuery(allTemplatesQuery).data?.templates
  return ({ name, templateId, createdAt }) => {
    if (name !== '') return name
    const template = templates?.find(({ _id }) => _id === templateId)?.name ?? nameless
    const [day = '', time = ''] = momentOf(createdAt).split('T')
    return `${template} · ${time} ${formatDay(day, language)}`
  }
}
