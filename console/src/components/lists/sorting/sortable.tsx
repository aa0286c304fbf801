import { ActionIcon, VisuallyHidden } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import {
  createContext,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { common } from '../../../texts/common.ts'
import { useTexts } from '../../../texts/language.tsx'
import { placeUnder } from './place-under.ts'
import classes from './sortable.module.css'

/** What is being moved: by the keyboard at once, by the pointer when it is released. `from`: where it was. */
type Held = { id: string; from: number; by: 'keys' | 'pointer' }
type Sorting = {
  held: Held | undefined
  /** In whose place the held one would be put. */
  over: string | undefined
  helpId: string
  pieces: Map<string, HTMLElement>
  press: (id: string, event: PointerEvent) => void
  key: (id: string, event: KeyboardEvent) => void
  putDown: () => void
}

const SortingContext = createContext<Sorting | undefined>(undefined)
/** Near an edge of the window a drag scrolls. */
const EDGE_PX = 60
const SCROLL_PX = 16

/** Items that can be reordered by pointer or keyboard, announced to screen readers. `ids` are in their current order. */
export function Sortable(props: {
  ids: string[]
  onMove: (from: number, to: number) => void
  children: ReactNode
}) {
  const { sorting: texts } = useTexts(common)
  const helpId = useId()
  const pieces = useRef(new Map<string, HTMLElement>()).current
  const [held, setHeld] = useState<Held>()
  const [over, setOver] = useState<string>()
  const [said, setSaid] = useState('')
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  // Moving the element takes the focus away from it.
  useLayoutEffect(() => {
    if (held?.by === 'keys') pieces.get(held.id)?.querySelector<HTMLElement>('[data-grip]')?.focus()
  })
  const dragging = useRef<AbortController>(undefined)
  useEffect(() => () => dragging.current?.abort(), [])

  function press(id: string, { button, pageX, pageY }: PointerEvent): void {
    const element = pieces.get(id)
    if (button !== 0 || element === undefined) return
    let to: string | undefined
    const end = (isDropped: boolean) => {
      dragging.current?.abort()
      element.style.translate = ''
      setHeld(undefined)
      setOver(undefined)
      const { ids, onMove } = latest.current
      const place = isDropped && to !== undefined ? ids.indexOf(to) : -1
      if (place !== -1) onMove(ids.indexOf(id), place)
      setSaid(place === -1 ? texts.putBack : texts.putDown(place + 1))
    }
    const watch = new AbortController()
    dragging.current?.abort()
    dragging.current = watch
    const on = <K extends keyof WindowEventMap>(name: K, act: (event: WindowEventMap[K]) => void) =>
      window.addEventListener(name, act, { signal: watch.signal })
    on('pointermove', (event) => {
      if (event.clientY < EDGE_PX) scrollBy(0, -SCROLL_PX)
      if (event.clientY > innerHeight - EDGE_PX) scrollBy(0, SCROLL_PX)
      element.style.translate = `${event.pageX - pageX}px ${event.pageY - pageY}px`
      to = placeUnder(event, id, pieces)
      setOver(to)
    })
    on('pointerup', () => end(true))
    on('pointercancel', () => end(false))
    on('keydown', ({ key }) => key === 'Escape' && end(false))
    setHeld({ id, from: props.ids.indexOf(id), by: 'pointer' })
    setSaid(texts.lifted)
  }

  function key(id: string, event: KeyboardEvent): void {
    const isHeld = held?.id === id && held.by === 'keys'
    const place = props.ids.indexOf(id)
    const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key]
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault()
      if (isHeld) putDown()
      else {
        setHeld({ id, from: place, by: 'keys' })
        setSaid(texts.lifted)
      }
    } else if (isHeld && step !== undefined) {
      event.preventDefault()
      const to = Math.min(Math.max(place + step, 0), props.ids.length - 1)
      if (to === place) return
      props.onMove(place, to)
      setSaid(texts.movedTo(to + 1))
    } else if (isHeld && event.key === 'Escape') {
      // Otherwise it would also close a dialog around the list.
      event.stopPropagation()
      if (place !== held.from) props.onMove(place, held.from)
      setHeld(undefined)
      setSaid(texts.putBack)
    }
  }

  function putDown(): void {
    if (held?.by !== 'keys') return
    setHeld(undefined)
    setSaid(texts.putDown(props.ids.indexOf(held.id) + 1))
  }

  return (
    <SortingContext value={{ held, over, helpId, pieces, press, key, putDown }}>
      {props.children}
      <VisuallyHidden id={helpId}>{texts.help}</VisuallyHidden>
      <VisuallyHidden aria-live="assertive">{said}</VisuallyHidden>
    </SortingContext>
  )
}

/** The props of an item in a {@link Sortable}: for its element and its drag handle. */
export function useSortablePiece(id: string) {
  const { sorting: texts } = useTexts(common)
  const sorting = useContext(SortingContext)
  if (sorting === undefined) throw new Error('no Sortable above this item')
  const { held, over, helpId, pieces, press, key, putDown } = sorting
  const isHeld = held?.id === id
  const grip = (label: string, size: 'sm' | 'md' = 'md') => (
    <ActionIcon
      data-grip
      size={size}
      variant={isHeld ? 'light' : 'subtle'}
      color="gray"
      className={classes.grip}
      aria-label={label}
      aria-roledescription={texts.piece}
      aria-describedby={helpId}
      aria-pressed={isHeld}
      onPointerDown={(event) => press(id, event)}
      onKeyDown={(event) => key(id, event)}
      // Without another element that takes the focus it was lost by the move.
      onBlur={({ relatedTarget }) => relatedTarget !== null && isHeld && putDown()}
    >
      <IconGripVertical size={16} />
    </ActionIcon>
  )
  return {
    ref: (element: HTMLElement | null) => {
      if (element === null) pieces.delete(id)
      else pieces.set(id, element)
    },
    className: [classes.piece, isHeld && classes.held, over === id && classes.over].filter(Boolean).join(' '),
    grip,
  }
}
