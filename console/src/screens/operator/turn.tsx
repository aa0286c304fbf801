import { Button, Group } from '@mantine/core'
import { useTexts } from '../../texts/language.tsx'
import { operatorTexts } from './texts.ts'

/** The ways to the neighbouring pages of a list that does not know how long it is. */
export function Turn(props: { page: number; hasMore: boolean; onPage: (page: number) => void }) {
  const texts = useTexts(operatorTexts)
  if (props.page === 1 && !props.hasMore) return null
  return (
    <Group justify="flex-end" mt="sm">
      <Button variant="default" disabled={props.page === 1} onClick={() => props.onPage(props.page - 1)}>
        {texts.newer}
      </Button>
      <Button variant="default" disabled={!props.hasMore} onClick={() => props.onPage(props.page + 1)}>
        {texts.older}
      </Button>
    </Group>
  )
}
