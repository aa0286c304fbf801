import { SimpleGrid, Stack, Text } from '@mantine/core'
import { Card } from '../../../components/page.tsx'
import { BarPlot } from '../../../components/plots/bar-plot.tsx'
import { Legend } from '../../../components/plots/legend.tsx'
import { formatDay, formatNumber, formatPercent, formatVnd } from '../../../format.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { type ReportedDay, rateOf } from './days.ts'
import { reportTexts } from './report-texts.ts'
import classes from './template-plots.module.css'

/** A template's days as plots: messages and deliveries, the delivery rate, the cost, and the platform's quality rating and quota. */
export function TemplatePlots({ days }: { days: ReportedDay[] }) {
  const texts = useTexts(reportTexts)
  const { language } = useLanguage()
  const count = (value: number) => formatNumber(value, language)
  const money = (value: number) => formatVnd(value, language)
  const percent = (value: number) => formatPercent(value / 100, language)
  const named = days.map((day) => ({ ...day, name: formatDay(day.day, language) }))
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Card title={texts.byDay} actions={<Legend value={texts.delivered} before={texts.accepted} />}>
        <BarPlot
          label={texts.byDay}
          formatAxis={count}
          bars={named.map(({ name, accepted, delivered }) => ({
            key: name,
            name: texts.dayOf(name, count(accepted), count(delivered)),
            value: delivered,
            before: accepted,
          }))}
        />
      </Card>
      <Card title={texts.rateByDay}>
        <BarPlot
          label={texts.rateByDay}
          formatAxis={percent}
          bars={named.map((day) => {
            const rate = rateOf(day)
            const shown = rate === undefined ? '–' : formatPercent(rate, language)
            return { key: day.name, name: texts.valueOf(day.name, shown), value: 100 * (rate ?? 0) }
          })}
        />
      </Card>
      <Card title={texts.spendByDay}>
        <BarPlot
          label={texts.spendByDay}
          formatAxis={money}
          bars={named.map(({ name, spend }) => ({
            key: name,
            name: texts.valueOf(name, money(spend)),
            value: spend,
          }))}
        />
      </Card>
      <Card title={texts.qualityByDay}>
        <Qualities days={named} />
      </Card>
      <Card title={texts.quotaByDay} term="quota">
        {named.every(({ dailyQuota }) => dailyQuota === null) ? (
          <Text c="dimmed">{texts.noQuota}</Text>
        ) : (
          <BarPlot
            label={texts.quotaByDay}
            formatAxis={count}
            bars={named.map(({ name, accepted, dailyQuota }) => ({
              key: name,
              name: texts.quotaOf(name, count(accepted), dailyQuota === null ? '–' : count(dailyQuota)),
              value: accepted,
              before: dailyQuota ?? 0,
            }))}
          />
        )}
      </Card>
    </SimpleGrid>
  )
}

/** A stripe with the quality of each day, and the dates of its changes. A day without a quality is empty. */
function Qualities({ days }: { days: (ReportedDay & { name: string })[] }) {
  const texts = useTexts(reportTexts)
  const changes = days.filter(
    ({ quality }, at) => quality !== null && quality !== (days[at - 1]?.quality ?? null),
  )
  if (changes.length === 0) return <Text c="dimmed">{texts.notJudged}</Text>
  return (
    <Stack gap="xs">
      <ol className={classes.strip} aria-label={texts.qualityByDay}>
        {days.map(({ day, name, quality }) => {
          const word = texts.valueOf(name, qualityWord(quality, texts))
          return (
            <li key={day} data-quality={quality ?? undefined}>
              <span role="img" aria-label={word} title={word} />
            </li>
          )
        })}
      </ol>
      {changes.toReversed().map(({ day, name, quality }) => (
        <Text key={day} size="sm" className={classes.change} data-quality={quality}>
          {texts.qualitySince(qualityWord(quality, texts), name)}
        </Text>
      ))}
    </Stack>
  )
}

/** A quality's name in the reader's language; the platform's own word if it is unknown. */
function qualityWord(
  quality: string | null,
  texts: { qualities: Record<string, string>; noQuality: string },
): string {
  return quality === null ? texts.noQuality : (texts.qualities[quality] ?? quality)
}
