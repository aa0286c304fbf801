import { Box, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconBarcode } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import { useTexts } from '../../../texts/language.tsx'
import classes from '../pos.module.css'
import type { Sellable } from '../sale.ts'
import { SellableFacts } from '../sellable-facts.tsx'
import { posTexts } from '../texts.ts'
import { findSellables } from './find-sellables.ts'
import { readScan, type useScans } from './use-scans.ts'

const SUGGEST_AFTER_MS = 180
const SHORTEST_SEARCH = 2

/**
 * The scan field. A scanned code with its Enter adds a piece; typed text suggests products. While the field is empty, an
 * open question offers its choices, and `onIdleKey` gets the other keys.
 */
export function ScanInput(props: {
  shopId: string
  forStock?: boolean
  input: RefObject<HTMLInputElement | null>
  disabled?: boolean
  scans: ReturnType<typeof useScans>
  onFound: (sellable: Sellable, quantity: number) => void
  onIdleKey: (event: KeyboardEvent) => void
}) {
  const { forStock = false } = props
  const texts = useTexts(posTexts)
  const [text, setText] = useState('')
  /** The choice to which the arrow keys have moved. */
  const [moved, setMoved] = useState<number>()
  const { question, lookUp, close, moveOn } = props.scans
  const asked = text === '' ? question : undefined
  const { wanted, isTooMany } = readScan(text)
  const [searched] = useDebouncedValue(wanted, SUGGEST_AFTER_MS)
  const isTyping = wanted.length >= SHORTEST_SEARCH
  const found = useQuery({
    queryKey: ['products', 'sellables', searched, forStock],
    enabled: searched.length >= SHORTEST_SEARCH,
    placeholderData: keepPreviousData,
    queryFn: () => findSellables(props.shopId, searched, forStock),
  })
  const choices = asked?.sellables ?? (isTyping ? (found.data ?? []) : [])
  const active = moved ?? (asked === undefined ? -1 : 0)
  useEffect(() => {
    document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' })
  }, [active])

  function write(value: string) {
    setText(value)
    setMoved(undefined)
  }

  function take(sellable: Sellable) {
    const answered = asked?.text ?? text
    props.onFound(sellable, readScan(answered).quantity)
    moveOn(answered)
    write('')
    props.input.current?.focus()
  }

  function submit() {
    // What was typed stays, and the next scan replaces it.
    if (isTooMany) props.input.current?.select()
    if (wanted === '') return
    moveOn(text.trim())
    // Cleared at once, because the next scan must find the field empty.
    write('')
    void lookUp(text.trim())
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      const chosen = choices[active]
      if (chosen !== undefined) take(chosen)
      else submit()
    } else if (text === '' && asked === undefined) {
      props.onIdleKey(event)
    } else if (event.key === 'Escape') {
      event.stopPropagation()
      if (asked !== undefined) close()
      write('')
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setMoved(Math.max(-1, Math.min(choices.length - 1, active + step)))
    }
  }

  return (
    <Box pos="relative">
      <TextInput
        ref={props.input}
        value={text}
        onChange={(event) => write(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        size="lg"
        autoFocus
        autoComplete="off"
        spellCheck={false}
        disabled={props.disabled}
        aria-label={texts.scan}
        error={isTooMany && texts.tooMany}
        placeholder={texts.scan}
        leftSection={<IconBarcode size={24} aria-hidden />}
        role="combobox"
        aria-expanded={choices.length > 0}
        aria-controls="pos-choices"
        aria-autocomplete="list"
        aria-activedescendant={active === -1 ? undefined : optionId(active)}
      />
      {choices.length > 0 && (
        <div className={classes.choices}>
          {asked !== undefined && (
            <Text size="sm" px="sm" pt="xs" role="status">
              {texts.choose(asked.text)}
            </Text>
          )}
          <div id="pos-choices" role="listbox" aria-label={texts.suggestions} className={classes.scroll}>
            {choices.map((choice, index) => (
              <Choice
                key={choice.skuId}
                id={optionId(index)}
                choice={choice}
                isActive={index === active}
                onTake={() => take(choice)}
              />
            ))}
          </div>
        </div>
      )}
    </Box>
  )
}

const optionId = (index: number) => `pos-choice-${index}`

function Choice(props: { id: string; choice: Sellable; isActive: boolean; onTake: () => void }) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: arrows and Enter work in the field above, the combobox of this list
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the combobox, whose aria-activedescendant names the option
    <div
      id={props.id}
      role="option"
      aria-selected={props.isActive}
      className={classes.choice}
      onMouseDown={(event) => event.preventDefault()}
      onClick={props.onTake}
    >
      <SellableFacts sellable={props.choice} />
    </div>
  )
}
