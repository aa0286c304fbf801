import { Group, Kbd, Text } from '@mantine/core'
import { useTexts } from '../../texts/language.tsx'
import classes from './pos.module.css'
import { posTexts } from './texts.ts'

/** The counter's keys and what each does. */
export const COUNTER_KEYS = [
  ['Esc', 'scan'],
  ['↑ ↓', 'lines'],
  ['+ −', 'plusMinus'],
  ['Del', 'remove'],
  ['F2', 'quantity'],
  ['F3', 'discount'],
  ['F4', 'customer'],
  ['F6', 'nextSale'],
  ['F7', 'anotherSale'],
  ['F8', 'orderDiscount'],
  ['F9', 'pay'],
  ['Ctrl P', 'print'],
] as const

/** The counter's shortcuts on devices with a keyboard: above the goods, or below them in a low window. */
export function Shortcuts() {
  const texts = useTexts(posTexts)
  return (
    <Group
      component="section"
      aria-label={texts.shortcuts}
      gap="md"
      visibleFrom="md"
      className={`${classes.shortcuts} no-print`}
    >
      {COUNTER_KEYS.map(([key, text]) => (
        <Group key={key} gap={6} wrap="nowrap">
          <Kbd>{key}</Kbd>
          <Text size="sm">{texts.keys[text]}</Text>
        </Group>
      ))}
    </Group>
  )
}
