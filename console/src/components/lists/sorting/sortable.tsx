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
  rectSortingStrategy,
  SortableContext,
  type SortingStrategy,
  sortableKeyboardCoordinates,
  useSortable,
} from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { ActionIcon } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import type { CSSProperties, ReactNode } from 'react'
import { common } from '../../../texts/common.ts'
import { useTexts } from '../../../texts/language.tsx'

/** Items that can be reordered by pointer or keyboard, announced to screen readers. `ids` are in their current order. */
export function Sortable(props: {
  ids: string[]
  onMove: (from: number, to: number) => void
  strategy?: SortingStrategy
  children: ReactNode
}) {
  const { ids, onMove, strategy = rectSortingStrategy, children } = props
  const { sorting: texts } = useTexts(common)
  const sensors = useSensors(
    useSensor(PointerSensor),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const place = (id: unknown) => ids.indexOf(String(id))

  function move({ active, over }: DragEndEvent): void {
    if (over !== null && active.id !== over.id) onMove(place(active.id), place(over.id))
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={move}
      accessibility={{
        screenReaderInstructions: { draggable: texts.help },
        announcements: {
          onDragStart: () => texts.lifted,
          onDragOver: ({ over }) => (over === null ? undefined : texts.movedTo(place(over.id) + 1)),
          onDragEnd: ({ over }) => (over === null ? texts.putBack : texts.putDown(place(over.id) + 1)),
          onDragCancel: () => texts.putBack,
        },
      }}
    >
      <SortableContext items={ids} strategy={strategy}>
        {children}
      </SortableContext>
    </DndContext>
  )
}

/** The props of an item in a {@link Sortable}: for its element and its drag handle. */
export function useSortablePiece(id: string) {
  const { sorting: texts } = useTexts(common)
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } =
    useSortable({ id, attributes: { roleDescription: texts.piece } })
  const style: CSSProperties = {
    transform: CSS.Translate.toString(transform),
    transition,
    position: 'relative',
    ...(isDragging ? { zIndex: 1 } : {}),
  }
  const grip = (label: string, size: 'sm' | 'md' = 'md') => (
    <ActionIcon
      ref={setActivatorNodeRef}
      size={size}
      variant="subtle"
      color="gray"
      style={{ cursor: 'grab', touchAction: 'none' }}
      {...attributes}
      {...listeners}
      aria-label={label}
    >
      <IconGripVertical size={16} />
    </ActionIcon>
  )
  return { ref: setNodeRef, style, isDragging, grip }
}
