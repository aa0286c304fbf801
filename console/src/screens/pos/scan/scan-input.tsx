import { Box, Group, Paper, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconBarcode } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import { Money } from '../../../components/values.tsx'
import { formatNumber } from '../../../format.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import classes from '../pos.module.css'
import type { Sellable } from '../sale.ts'
import { posTexts } from '../texts.ts'
import { findSellables } from './find-sellables.ts'

const SUGGEST_AFTER_MS = 180
const SHORTEST_SEARCH = 2

/** Splits `3*8938…` into the quantity and the code. */
export function readScan(text: string): { quantity: number; wanted: string } {
  const [, count, wanted] = /^(\d{1,4})\s*\*\s*(.*)$/.exec(text.trim()) ?? []
  if (count === undefined) return { quantity: 1, wanted: text.trim() }
  return { quantity: Math.max(1, Number(count)), wanted: wanted ?? '' }
}

/**
 * The scan field. A scanned code with its Enter adds a piece; typed text suggests products. While the field is empty,
 * `onIdleKey` gets its keys.
 */
export function ScanInput(props: {
  shopId: string
  input: RefObject<HTMLInputElement | null>
  disabled?: boolean
  onFound: (sellable: Sellable, quantity: number) => void
  onNotFound: (text: string) => void
  onProblem: (error: unknown, text: string) => void
  onIdleKey: (event: KeyboardEvent) => void
}) {
  const texts = useTexts(posTexts)
  const [text, setText] = useState('')
  const [active, setActive] = useState(-1)
  /** The choices offered after an Enter that matched several. */
  const [asked, setAsked] = useState<Sellable[]>()
  const [searched] = useDebouncedValue(readScan(text).wanted, SUGGEST_AFTER_MS)
  const isTyping = readScan(text).wanted.length >= SHORTEST_SEARCH
  const found = useQuery({
    queryKey: ['products', 'sellables', searched],
    enabled: searched.length >= SHORTEST_SEARCH,
    placeholderData: keepPreviousData,
    queryFn: () => findSellables(props.shopId, searched),
  })
  const choices = isTyping ? (asked ?? found.data ?? []) : []
  useEffect(() => {
    document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' })
  }, [active])

  function write(value: string) {
    setText(value)
    setActive(-1)
    setAsked(undefined)
  }

  function take(sellable: Sellable) {
    props.onFound(sellable, readScan(text).quantity)
    write('')
    props.input.current?.focus()
  }

  async function submit() {
    const { quantity, wanted } = readScan(text)
    if (wanted === '') return
    // Cleared at once, because the next scan must find the field empty.
    write('')
    try {
      const sellables = await findSellables(props.shopId, wanted)
      if (sellables.length === 1) {
        props.onFound(sellables[0]!, quantity)
      } else if (sellables.length === 0) {
        props.onNotFound(text.trim())
      } else {
        setText((now) => (now === '' ? text : now))
        setAsked(sellables)
        setActive(0)
      }
    } catch (error) {
      props.onProblem(error, text.trim())
    }
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      const chosen = choices[active]
      if (chosen !== undefined) take(chosen)
      else void submit()
    } else if (text === '') {
      props.onIdleKey(event)
    } else if (event.key === 'Escape') {
      event.stopPropagation()
      write('')
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive(Math.max(-1, Math.min(choices.length - 1, active + step)))
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
        placeholder={texts.scan}
        leftSection={<IconBarcode size={24} aria-hidden />}
        role="combobox"
        aria-expanded={choices.length > 0}
        aria-controls="pos-choices"
        aria-autocomplete="list"
        aria-activedescendant={active === -1 ? undefined : optionId(active)}
      />
      {choices.length > 0 && (
        <Paper withBorder shadow="md" className={classes.choices}>
          {asked !== undefined && (
            <Text size="sm" px="sm" pt="xs" role="status">
              {texts.choose}
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
        </Paper>
      )}
    </Box>
  )
}

const optionId = (index: number) => `pos-choice-${index}`

function Choice(props: { id: string; choice: Sellable; isActive: boolean; onTake: () => void }) {
  const texts = useTexts(posTexts)
  const { language } = useLanguage()
  const { choice } = props
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
      <div>
        <Text>{choice.name}</Text>
        <Text size="xs" c="dimmed">
          {choice.code}
        </Text>
      </div>
      <Group gap="md" wrap="nowrap">
        <Text size="sm" c="dimmed">
          {texts.stock(formatNumber(choice.stock, language))}
        </Text>
        <Money vnd={choice.price} />
      </Group>
    </div>
  )
}
