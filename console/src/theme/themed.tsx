import { MantineProvider, mergeThemeOverrides } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'
import { theme, themeVariables } from './theme.ts'

/** Applies our design, and Mantine's own words in the reader's language. */
export function Themed({ children }: { children: ReactNode }) {
  const { close, cross, showSecret } = useTexts(common)
  const worded = useMemo(() => {
    const closedBy = (name: string) => ({ defaultProps: { closeButtonProps: { 'aria-label': name } } })
    const showing = { defaultProps: { visibilityToggleButtonProps: { 'aria-label': showSecret } } }
    return mergeThemeOverrides(theme, {
      components: { Modal: closedBy(cross), Notification: closedBy(close), PasswordInput: showing },
    })
  }, [close, cross, showSecret])
  return (
    <MantineProvider theme={worded} cssVariablesResolver={themeVariables} defaultColorScheme="auto">
      {children}
    </MantineProvider>
  )
}
