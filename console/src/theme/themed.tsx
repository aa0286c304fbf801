import { MantineProvider, mergeThemeOverrides } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'
import { theme, themeVariables } from './theme.ts'

/** Applies our design, and Mantine's own words in the reader's language. */
export function Themed({ children }: { children: ReactNode }) {
  const { close, showSecret } = useTexts(common)
  const worded = useMemo(() => {
    const closing = { defaultProps: { closeButtonProps: { 'aria-label': close } } }
    const showing = { defaultProps: { visibilityToggleButtonProps: { 'aria-label': showSecret } } }
    return mergeThemeOverrides(theme, {
      components: { Modal: closing, Notification: closing, PasswordInput: showing },
    })
  }, [close, showSecret])
  return (
    <MantineProvider theme={worded} cssVariablesResolver={themeVariables} defaultColorScheme="auto">
      {children}
    </MantineProvider>
  )
}
