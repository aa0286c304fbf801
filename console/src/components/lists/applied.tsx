import { Button, Group, VisuallyHidden } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { writeDay } from '../../dates.ts'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'

/** A filter that is applied to the rows, in words, and the change of the list's state that removes it. */
export type Applied<S> = { name: string; without: Partial<S> }

/** The applied filters of a list as chips. Pressing one removes it; if there are several, another chip removes all. */
export function AppliedFilters<S>(props: { filters: Applied<S>[]; setList: (change: Partial<S>) => void }) {
  const { filters, setList } = props
  const { dropFilter, dropFilters } = useTexts(common)
  if (filters.length === 0) return null
  return (
    <Group gap="xs" mb="sm">
      {filters.map(({ name, without }) => (
        <Button
          key={name}
          variant="light"
          radius="xl"
          size="compact-md"
          maw="100%"
          rightSection={<IconX size={14} aria-hidden />}
          onClick={() => setList(without)}
        >
          <VisuallyHidden>{dropFilter} </VisuallyHidden>
          {name}
        </Button>
      ))}
      {filters.length > 1 && (
        <Button
          variant="subtle"
          radius="xl"
          size="compact-md"
          onClick={() => setList(Object.assign({}, ...filters.map(({ without }) => without)))}
        >
          {dropFilters}
        </Button>
      )}
    </Group>
  )
}

/** The chips that several lists share: for the search text and the days. */
export function useCommonApplied<S extends { search?: string; from?: string; to?: string }>({
  search = '',
  from = '',
  to = '',
}: S): Applied<S>[] {
  const texts = useTexts(common)
  const chip = (value: string, name: string, without: object) =>
    value === '' ? [] : [{ name, without: without as Partial<S> }]
  return [
    ...chip(search, texts.searched(search), { search: '' }),
    ...chip(from, `${texts.from} ${writeDay(from)}`, { from: '' }),
    ...chip(to, `${texts.to} ${writeDay(to)}`, { to: '' }),
  ]
}
