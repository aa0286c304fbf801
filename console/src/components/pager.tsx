import { Group, Pagination, Text } from '@mantine/core'
import { formatNumber } from '../format.ts'
import { common } from '../texts/common.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'

export function Pager(props: {
  page: number
  pageSize: number
  total: number
  onPage: (page: number) => void
}) {
  const texts = useTexts(common)
  const { language } = useLanguage()
  const pages = Math.max(1, Math.ceil(props.total / props.pageSize))
  return (
    <Group justify="space-between" mt="sm">
      <Text size="sm" c="dimmed">
        {texts.total(formatNumber(props.total, language))}
      </Text>
      {pages > 1 && (
        <Pagination
          total={pages}
          value={props.page}
          onChange={props.onPage}
          size="sm"
          getControlProps={(control) => ({ 'aria-label': control })}
          getItemProps={(page) => ({ 'aria-label': texts.page(page, pages) })}
        />
      )}
    </Group>
  )
}
