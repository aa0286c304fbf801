import { ActionIcon, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { Sortable, useSortablePiece } from '../../../components/lists/sorting/sortable.tsx'
import { Card } from '../../../components/page.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { ListProblems, useEditor } from './context.tsx'
import { type Block, newBlock } from './draft.ts'
import { ParagraphFields, TableFields } from './fields/block-fields.tsx'
import { RatingFields } from './fields/rating-fields.tsx'
import { VoucherFields } from './fields/voucher-fields.tsx'
import { editorTexts } from './texts.ts'

const FIELDS = {
  paragraph: ParagraphFields,
  table: TableFields,
  voucher: VoucherFields,
  rating: RatingFields,
}

/** The message's body: blocks that can be reordered by pointer or keyboard. */
export function Blocks() {
  const texts = useTexts(editorTexts)
  const { form } = useEditor()
  const { contentBlocks } = form.values

  return (
    <Card title={texts.blocks}>
      <Stack>
        <Sortable
          ids={contentBlocks.map(({ id }) => id)}
          onMove={(from, to) => form.reorderListItem('contentBlocks', { from, to })}
        >
          {contentBlocks.map((block, index) => (
            <SortableBlock key={block.id} block={block} index={index} />
          ))}
        </Sortable>
        <ListProblems path="contentBlocks" />
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} />}
            onClick={() => form.insertListItem('contentBlocks', newBlock('paragraph'))}
          >
            {texts.addParagraph}
          </Button>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} />}
            onClick={() => form.insertListItem('contentBlocks', newBlock('table'))}
          >
            {texts.addTable}
          </Button>
        </Group>
      </Stack>
    </Card>
  )
}

function SortableBlock({ block, index }: { block: Block; index: number }) {
  const texts = useTexts(editorTexts)
  const { form } = useEditor()
  const { ref, className, grip } = useSortablePiece(block.id)
  const Fields = FIELDS[block.type]
  const name = texts.blockTypes[block.type]
  const isOwn = block.type === form.values.templateType
  return (
    <Paper ref={ref} withBorder p="sm" className={className}>
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Group gap="xs" wrap="nowrap">
          {grip(texts.move(name, index + 1))}
          <Text fw={600} size="sm">
            {name}
          </Text>
        </Group>
        {!isOwn && (
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={texts.removeBlock(name, index + 1)}
            onClick={() => form.removeListItem('contentBlocks', index)}
          >
            <IconTrash size={16} />
          </ActionIcon>
        )}
      </Group>
      <Fields block={block} index={index} />
    </Paper>
  )
}
