import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { ActionIcon, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconGripVertical, IconPlus, IconTrash } from '@tabler/icons-react'
import { Card } from '../../components/page.tsx'
import { useTexts } from '../../texts/language.tsx'
import { ParagraphFields, TableFields } from './block-fields.tsx'
import { type Block, newBlock } from './draft.ts'
import { ListProblems, useEditor } from './editor-context.tsx'
import { editorTexts } from './editor-texts.ts'
import { RatingFields } from './rating-fields.tsx'
import { VoucherFields } from './voucher-fields.tsx'

const FIELDS = {
  paragraph: ParagraphFields,
  table: TableFields,
  voucher: VoucherFields,
  rating: RatingFields,
}

/** The message's body: blocks put in order by pointer or keyboard. */
export function Blocks() {
  const texts = useTexts(editorTexts)
  const { form } = useEditor()
  const { contentBlocks } = form.values
  const sensors = useSensors(
    useSensor(PointerSensor),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )

  const place = (id: unknown) => contentBlocks.findIndex((block) => block.id === id)

  function move({ active, over }: DragEndEvent): void {
    if (over !== null && active.id !== over.id)
      form.reorderListItem('contentBlocks', { from: place(active.id), to: place(over.id) })
  }

  return (
    <Card title={texts.blocks}>
      <Stack>
        <DndContext
          sensors={sensors}
          collisionDetection={closestCenter}
          onDragEnd={move}
          accessibility={{
            screenReaderInstructions: { draggable: texts.dragHelp },
            announcements: {
              onDragStart: () => texts.lifted,
              onDragOver: ({ over }) => (over === null ? undefined : texts.movedTo(place(over.id) + 1)),
              onDragEnd: ({ over }) => (over === null ? texts.putBack : texts.putDown(place(over.id) + 1)),
              onDragCancel: () => texts.putBack,
            },
          }}
        >
          <SortableContext items={contentBlocks} strategy={verticalListSortingStrategy}>
            {contentBlocks.map((block, index) => (
              <SortableBlock key={block.id} block={block} index={index} />
            ))}
          </SortableContext>
        </DndContext>
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
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } =
    useSortable({ id: block.id, attributes: { roleDescription: texts.sortable } })
  const Fields = FIELDS[block.type]
  const name = texts.blockTypes[block.type]
  const isOwn = block.type === form.values.templateType
  return (
    <Paper
      ref={setNodeRef}
      withBorder
      p="sm"
      shadow={isDragging ? 'md' : undefined}
      style={{
        transform: CSS.Translate.toString(transform),
        transition,
        position: 'relative',
        zIndex: isDragging ? 1 : undefined,
      }}
    >
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Group gap="xs" wrap="nowrap">
          <ActionIcon
            ref={setActivatorNodeRef}
            variant="subtle"
            color="gray"
            style={{ cursor: 'grab', touchAction: 'none' }}
            {...attributes}
            {...listeners}
            aria-label={texts.move(name, index + 1)}
          >
            <IconGripVertical size={16} />
          </ActionIcon>
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
