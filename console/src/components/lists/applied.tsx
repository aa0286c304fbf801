import { Button, Group } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'

/** A filter that has no field of its own: said in words, taken away by one touch. */
export type Applied = { name: string; clear: () => void }

/** The filters with which a number of another page opened this list. */
export function AppliedFilters({ filters }: { filters: Applied[] }) {
  const { dropFilter } = useTexts(common)
  if (filters.length === 0) return null
  return (
    <Group gap="xs" mb="sm">
      {filters.map(({ name, clear }) => (
        <Button
          key={name}
          variant="light"
          radius="xl"
          size="compact-md"
          aria-label={dropFilter(name)}
          rightSection={<IconX size={14} aria-hidden />}
          onClick={clear}
        >
          {name}
        </Button>
      ))}
    </Group>
  )
}
