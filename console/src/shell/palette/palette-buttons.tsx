import { UnstyledButton, type UnstyledButtonProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useTexts } from '../../texts/language.tsx'
import menu from '../menu.module.css'
import classes from './palette-buttons.module.css'
import { paletteTexts } from './texts.ts'

/** The search's button in the menu, on a wide screen. */
export function PaletteEntry({ isNarrow, onOpen }: { isNarrow: boolean; onOpen: () => void }) {
  const texts = useTexts(paletteTexts)
  return (
    <UnstyledButton
      className={`${menu.item} ${classes.entry}`}
      visibleFrom="md"
      aria-label={isNarrow ? texts.open : undefined}
      title={texts.open}
      onClick={onOpen}
    >
      <IconSearch size={18} stroke={1.75} aria-hidden />
      {!isNarrow && (
        <>
          <span>{texts.find}</span>
          <kbd>Ctrl K</kbd>
        </>
      )}
    </UnstyledButton>
  )
}

/** The search's button above the page, on a phone. */
export function PaletteButton({ onOpen, ...rest }: { onOpen: () => void } & UnstyledButtonProps) {
  const texts = useTexts(paletteTexts)
  return (
    <UnstyledButton {...rest} aria-label={texts.open} title={texts.open} onClick={onOpen}>
      <IconSearch size={18} stroke={1.75} aria-hidden />
    </UnstyledButton>
  )
}
