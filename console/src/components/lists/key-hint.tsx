import { Kbd, UnstyledButton } from '@mantine/core'
import { useKeyLegend } from '../../shell/keys/use-key-legend.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import classes from './list.module.css'

/** The keys of a list in one line below its rows, on wide screens. It is a button that shows all keys. */
export function KeyHint({ isSelectable }: { isSelectable: boolean }) {
  const { keys } = useTexts(common)
  const show = useKeyLegend()
  return (
    <UnstyledButton className={classes.keys} visibleFrom="lg" onClick={show}>
      <Kbd size="xs">J</Kbd> <Kbd size="xs">K</Kbd> {keys.move}
      {isSelectable && (
        <>
          <Kbd size="xs">X</Kbd> {keys.select}
        </>
      )}
      <Kbd size="xs">Enter</Kbd> {keys.open}
      <Kbd size="xs">?</Kbd> {keys.all}
    </UnstyledButton>
  )
}
