import { Kbd, Stack, Text } from '@mantine/core'
import { COUNTER_KEYS } from '../../screens/pos/shortcuts.tsx'
import { posTexts } from '../../screens/pos/texts.ts'
import { useTexts } from '../../texts/language.tsx'
import { shellTexts } from '../texts.ts'
import classes from './key-legend.module.css'
import { keyTexts } from './texts.ts'

const ANYWHERE = [
  ['Ctrl K', 'find'],
  ['?', 'legend'],
  ['Esc', 'close'],
] as const
const IN_LISTS = [
  ['J', 'next'],
  ['K', 'previous'],
  ['Enter', 'open'],
  ['X', 'select'],
  ['/', 'search'],
] as const

/** Every key of the console and what it does, by where it works. */
export function KeyLegend() {
  const texts = useTexts(keyTexts)
  const { items } = useTexts(shellTexts)
  const { keys: atCounter } = useTexts(posTexts)
  return (
    <Stack>
      <Keys title={texts.anywhere} keys={ANYWHERE.map(([key, name]) => [key, texts.keys[name]])} />
      <Keys title={texts.inLists} keys={IN_LISTS.map(([key, name]) => [key, texts.keys[name]])} />
      <Keys title={items.pos} keys={COUNTER_KEYS.map(([key, name]) => [key, atCounter[name]])} />
    </Stack>
  )
}

function Keys({ title, keys }: { title: string; keys: (readonly [key: string, does: string])[] }) {
  return (
    <section>
      <Text component="h3" fw={600} size="sm" mb="xs">
        {title}
      </Text>
      <dl className={classes.keys}>
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <Kbd>{key}</Kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
