import { Modal, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import { useTexts } from '../../texts/language.tsx'
import { usePlaces, useRecords } from './entries.ts'
import type { Entry, Kind } from './entry.ts'
import classes from './palette.module.css'
import { paletteTexts } from './texts.ts'

const SEARCH_AFTER_MS = 180

/** Goes to any screen, action or record by a part of its name. `typed` is the text that was typed before it opened. */
export function Palette({ typed, onClose }: { typed: string; onClose: () => void }) {
  const texts = useTexts(paletteTexts)
  return (
    <Modal.Root opened onClose={onClose} yOffset="12vh" size="lg">
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content aria-label={texts.open} radius="lg">
        <Modal.Body p={0}>
          <Search typed={typed} onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

function Search({ typed, onClose }: { typed: string; onClose: () => void }) {
  const texts = useTexts(paletteTexts)
  const navigate = useNavigate()
  const list = useId()
  const [text, setText] = useState(typed)
  const [asked] = useDebouncedValue(text, SEARCH_AFTER_MS)
  const [marked, setMarked] = useState(0)
  const places = usePlaces(text)
  const { entries: records, isSearching } = useRecords(asked)
  const entries = [...places, ...records]
  const at = Math.min(marked, entries.length - 1)
  const isWaiting = isSearching || asked !== text

  function go(entry: Entry | undefined) {
    if (entry === undefined) return
    onClose()
    // After the focus is back on the page, so that a dialog returns it there.
    if ('run' in entry) return void requestAnimationFrame(entry.run)
    const [pathname, search] = entry.to.split('?')
    void navigate({ to: pathname!, search: Object.fromEntries(new URLSearchParams(search)) as never })
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setMarked((at + step + entries.length) % Math.max(entries.length, 1))
    // While records are still being searched, the person may mean one of them.
    else if (event.key === 'Enter' && !(isWaiting && entries.length === 0)) go(entries[at])
    else return
    event.preventDefault()
  }
  return (
    <>
      <TextInput
        data-autofocus
        size="md"
        variant="unstyled"
        className={classes.field}
        leftSection={<IconSearch size={18} aria-hidden />}
        placeholder={texts.hint}
        aria-label={texts.hint}
        role="combobox"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={entries.length === 0 ? undefined : `${list}-${at}`}
        value={text}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setMarked(0)
        }}
      />
      <div id={list} role="listbox" aria-label={texts.results} className={classes.list}>
        {groupsOf(entries).map(({ kind, first, of }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options
          <div key={kind} role="group" aria-label={texts.groups[kind]}>
            <div className={classes.group} aria-hidden>
              {texts.groups[kind]}
            </div>
            {of.map((entry, n) => (
              <Option
                key={'to' in entry ? entry.to : entry.name}
                id={`${list}-${first + n}`}
                entry={entry}
                isMarked={first + n === at}
                onMark={() => setMarked(first + n)}
                onGo={() => go(entry)}
              />
            ))}
          </div>
        ))}
      </div>
      {entries.length === 0 && (
        <p className={classes.note} role="status">
          {isWaiting ? texts.searching : texts.nothing}
        </p>
      )}
    </>
  )
}

function Option(props: {
  id: string
  entry: Entry
  isMarked: boolean
  onMark: () => void
  onGo: () => void
}) {
  const { id, entry, isMarked } = props
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isMarked}
      className={classes.option}
      ref={(element) => {
        if (isMarked) element?.scrollIntoView({ block: 'nearest' })
      }}
      onMouseMove={isMarked ? undefined : props.onMark}
      onClick={props.onGo}
    >
      <span>{entry.name}</span>
      {entry.hint !== undefined && <small>{entry.hint}</small>}
    </div>
  )
}

/** The entries by kind, in their order, and the index of each kind's first entry. The entries of a kind follow each other. */
function groupsOf(entries: readonly Entry[]): { kind: Kind; first: number; of: Entry[] }[] {
  const groups: { kind: Kind; first: number; of: Entry[] }[] = []
  for (const [at, entry] of entries.entries()) {
    const last = groups.at(-1)
    if (last?.kind === entry.kind) last.of.push(entry)
    else groups.push({ kind: entry.kind, first: at, of: [entry] })
  }
  return groups
}
