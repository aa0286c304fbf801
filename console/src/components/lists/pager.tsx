import { Button, Group, NativeSelect, Pagination, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatNumber } from '../../format.ts'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'

/**
 * A list's length: `at_least` if it was counted only up to a cap; or only whether more follows, if counting would cost
 * too much.
 */
export type Length =
  | { total?: number | undefined; totalPrecision?: 'exact' | 'at_least' | undefined }
  | { hasMore: boolean }

type PageChange = { page: number } | { size: number }

/** Links to the other pages, and a field for the page size if there are several `sizes`. */
export function Pager(props: {
  page: number
  size: number
  sizes?: readonly number[] | undefined
  length: Length
  onChange: (change: PageChange) => void
  /** Shown beside the total: the sums of the rows. */
  sums?: ReactNode
  /** Shown beside the page size. */
  children?: ReactNode
}) {
  const texts = useTexts(common)
  const { language } = useLanguage()
  const { page, size, sizes, length, onChange, sums, children } = props
  const hasMore = 'hasMore' in length && length.hasMore
  const total = 'hasMore' in length ? undefined : length.total
  const isCut = 'totalPrecision' in length && length.totalPrecision === 'at_least'
  const isCounted = total !== undefined
  const hasChoice = sizes !== undefined && isCounted && total > sizes[0]!
  if (!isCounted && page === 1 && !hasMore && !children) return null
  return (
    <Group justify="space-between" mt="sm">
      <Group gap="sm">
        {isCounted && (
          <Text size="sm" c="dimmed">
            {texts.total(`${formatNumber(total, language)}${isCut ? '+' : ''}`)}
          </Text>
        )}
        {sums}
        {hasChoice && (
          <NativeSelect
            aria-label={texts.pageSize}
            size="xs"
            value={size}
            data={sizes.map((each) => ({ value: String(each), label: texts.perPage(each) }))}
            onChange={(event) => onChange({ size: Number(event.currentTarget.value) })}
          />
        )}
        {children}
      </Group>
      {isCounted ? (
        <Pages page={page} pages={Math.ceil(total / size)} onPage={(next) => onChange({ page: next })} />
      ) : (
        <Group gap="xs">
          <Button variant="default" disabled={page === 1} onClick={() => onChange({ page: page - 1 })}>
            {texts.newer}
          </Button>
          <Button variant="default" disabled={!hasMore} onClick={() => onChange({ page: page + 1 })}>
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
      getControlProps={(control) => ({ 'aria-label': texts.turn[control] })}
      getItemProps={(item) => ({ 'aria-label': texts.page(item, pages) })}
    />
  )
}
