import { Group, SimpleGrid, Stack } from '@mantine/core'
import { lazy, type ReactNode, useState } from 'react'
import type { TemplateReport } from '../../../api/rows.ts'
import { Figure } from '../../../components/figure.tsx'
import { Select } from '../../../components/forms/select/select.tsx'
import { type Column, DataTable } from '../../../components/lists/data-table.tsx'
import { Card, EmptyState } from '../../../components/page.tsx'
import { Money } from '../../../components/values.tsx'
import { WhenSeen } from '../../../components/when-seen.tsx'
import { formatDay, formatNumber, formatPercent, formatVnd } from '../../../format.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { byFoldedText } from '../../../theme/pickers.ts'
import { type Days, messagesIn } from '../../overview/addresses.ts'
import { everyDay, type ReportedDay, type ReportedTemplate, rateOf } from './days.ts'
import { reportTexts } from './report-texts.ts'

const TemplatePlots = lazy(async () => ({ default: (await import('./template-plots.tsx')).TemplatePlots }))

/**
 * The results of the template that the reader chooses; initially the one with the most messages. With `isOwn`, the
 * numbers open the shop's messages that they count.
 */
export function ReportOfTemplates(props: {
  report: TemplateReport
  title?: string
  period?: ReactNode
  isOwn?: boolean
}) {
  const { report, title, period, isOwn } = props
  const texts = useTexts(reportTexts)
  const [chosen, setChosen] = useState<string | null>(null)
  const { templates } = report
  const template = templates.find(({ _id }) => _id === chosen) ?? templates[0]
  if (template === undefined) {
    return (
      <Card title={title} actions={period}>
        <EmptyState title={texts.emptyTitle} hint={texts.emptyHint} />
      </Card>
    )
  }
  const days = everyDay(report, template)
  return (
    <Stack>
      <Card title={title}>
        <Stack>
          <Group justify="space-between" align="flex-end">
            <Select
              label={texts.template}
              searchable
              allowDeselect={false}
              filter={byFoldedText}
              w={360}
              maw="100%"
              data={templates.map(({ _id, name }) => ({ value: _id, label: name }))}
              value={template._id}
              onChange={setChosen}
            />
            {period}
          </Group>
          <Figures
            template={template}
            days={isOwn ? { from: days[0]!.day, to: days.at(-1)!.day } : undefined}
          />
        </Stack>
      </Card>
      <WhenSeen minHeight={400}>
        <TemplatePlots days={days} />
      </WhenSeen>
      <Card>
        <details>
          <summary>{texts.numbers}</summary>
          <Numbers days={days.toReversed()} />
        </details>
      </Card>
    </Stack>
  )
}

/** With `days`, the numbers of messages open the list of them. */
function Figures({ template, days }: { template: ReportedTemplate; days: Days | undefined }) {
  const texts = useTexts(reportTexts)
  const { language } = useLanguage()
  const { accepted, delivered, failed, spend } = template.total
  const count = (value: number) => formatNumber(value, language)
  const rate = rateOf(template.total)
  const qualities: Record<string, string> = texts.qualities
  const { quality, dailyQuota, templateId } = template
  const opens = (of: { status?: string; delivered?: string }) =>
    days === undefined || templateId === null ? {} : { to: messagesIn(days, { template: templateId, ...of }) }
  return (
    <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: 'xs', sm: 'md' }}>
      <Figure
        label={texts.accepted}
        value={count(accepted)}
        hints={
          failed === 0
            ? []
            : [
                {
                  text: `${texts.failed}: ${count(failed)}`,
                  tone: 'bad',
                  ...opens({ status: 'ERROR' }),
                },
              ]
        }
        {...opens({ status: 'RECEIVED' })}
      />
      <Figure
        label={texts.rate}
        value={rate === undefined ? '–' : formatPercent(rate, language)}
        hints={[
          { text: `${texts.delivered}: ${count(delivered)}`, ...opens({ delivered: 'yes' }) },
          ...(failed === 0 ? [] : [texts.withFailed]),
        ]}
      />
      <Figure
        label={texts.spend}
        value={formatVnd(spend, language)}
        hints={accepted === 0 ? [] : [texts.perMessage(formatVnd(Math.round(spend / accepted), language))]}
      />
      <Figure
        label={texts.quality}
        value={quality === null ? texts.noQuality : (qualities[quality] ?? quality)}
        hints={[dailyQuota === null ? texts.qualityHint : texts.quota(count(dailyQuota))]}
        term="quality"
      />
    </SimpleGrid>
  )
}

/** The numbers in the plots, the newest day first. */
function Numbers({ days }: { days: ReportedDay[] }) {
  const texts = useTexts(reportTexts)
  const { language } = useLanguage()
  const count = (value: number) => formatNumber(value, language)
  const qualities: Record<string, string> = texts.qualities
  const columns: Column<ReportedDay>[] = [
    { title: texts.day, cell: ({ day }) => formatDay(day, language) },
    { title: texts.accepted, isNumber: true, cell: ({ accepted }) => count(accepted) },
    { title: texts.delivered, isNumber: true, cell: ({ delivered }) => count(delivered) },
    {
      title: texts.rate,
      isNumber: true,
      cell: (day) => {
        const rate = rateOf(day)
        return rate === undefined ? '' : formatPercent(rate, language)
      },
    },
    { title: texts.failed, isNumber: true, cell: ({ failed }) => count(failed) },
    { title: texts.spend, isNumber: true, cell: ({ spend }) => <Money vnd={spend} /> },
    {
      title: texts.quality,
      cell: ({ quality }) => (quality === null ? '' : (qualities[quality] ?? quality)),
    },
    {
      title: texts.dailyQuota,
      isNumber: true,
      cell: ({ dailyQuota }) => (dailyQuota === null ? '' : count(dailyQuota)),
    },
  ]
  return <DataTable columns={columns} rows={days} keyOf={({ day }) => day} />
}
