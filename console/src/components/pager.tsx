import { Button, Group, NativeSelect, Pagination, Text } from '@mantine/core'
import { formatNumber } from '../format.ts'
import { common } from '../texts/common.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'

/** A list's length, or, where counting would cost too much, whether more follows. */
export type Length = { total: number } | { hasMore: boolean }

type PageChange = { page: number } | { size: number }

/** The ways to the other pages, and how much one holds where there is a choice of `sizes`. */
export function Pager(props: {
  page: number
  size: number
  sizes?: readonly number[] | undefined
  length: Length
  onChange: (change: PageChange) => void
}) {
  const texts = useTexts(common)
  const { language } = useLanguage()
  const { page, size, sizes, length, onChange } = props
  const isCounted = 'total' in length
  const hasChoice = sizes !== undefined && isCounted && length.total > sizes[0]!
  if (!isCounted && page === 1 && !length.hasMore) return null
  return (
    <Group justify="space-between" mt="sm">
      <Group gap="sm">
        {isCounted && (
          <Text size="sm" c="dimmed">
            {texts.total(formatNumber(length.total, language))}
          </Text>
        )}
        {hasChoice && (
          <NativeSelect
            aria-label={texts.pageSize}
            size="xs"
            value={size}
            data={sizes.map((each) => ({ value: String(each), label: texts.perPage(each) }))}
            onChange={(event) => onChange({ size: Number(event.currentTarget.value) })}
          />
        )}
      </Group>
      {isCounted ? (
        <Pages
          page={page}
          pages={Math.ceil(length.total / size)}
          onPage={(next) => onChange({ page: next })}
        />
      ) : (
        <Group gap="xs">
          <Button variant="default" disabled={page === 1} onClick={() => onChange({ page: page - 1 })}>
            {texts.newer}
          </Button>
          <Button variant="default" disabled={!length.hasMore} onClick={() => onChange({ page: page + 1 })}>
            {texts.older}
          </Button>
        </Group>
      )}
    </Group>
  )
}

function Pages({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }) {
  const texts = useTexts(common)
  if (pages <= 1) return null
  return (
    <Pagination
      total={pages}
      value={page}
      onChange={onPage}
      size="sm"
      getControlProps={(control) => ({ 'aria-label': control })}
      getItemProps={(item) => ({ 'aria-label': texts.page(item, pages) })}
    />
  )
}
