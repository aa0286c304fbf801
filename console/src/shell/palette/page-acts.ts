import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { useKeyLegend } from '../keys/use-key-legend.tsx'
import { shellTexts } from '../texts.ts'
import { useAccountActs } from '../use-account-acts.ts'
import type { Entry } from './entry.ts'
import { paletteTexts } from './texts.ts'

/**
 * What can be done on the open page: the buttons at its head, by their own names, and copying its record's code and its
 * link. It is read from the page once, because the palette covers it.
 */
export function usePageActs(): Entry[] {
  const texts = useTexts(paletteTexts)
  const { copied, failed } = useTexts(common)
  const [{ buttons, code }] = useState(readPage)
  async function copy(text: string) {
    try {
      await navigator.clipboard.writeText(text)
      notifications.show({ message: copied, color: 'teal' })
    } catch {
      notifications.show({ message: failed, color: 'red' })
    }
  }
  return [
    ...buttons.map(({ name, button }): Entry => ({ kind: 'page', name, run: () => button.click() })),
    ...(code === undefined
      ? []
      : [
          { kind: 'page' as const, name: texts.copy(code), run: () => void copy(code) },
          { kind: 'page' as const, name: texts.copyLink, run: () => void copy(location.href) },
        ]),
  ]
}

function readPage() {
  const main = document.querySelector('main')
  const buttons = [...(main?.querySelectorAll<HTMLElement>('[data-page-actions] :is(a, button)') ?? [])]
    .filter((one) => !one.matches(':disabled, [data-disabled]') && one.checkVisibility())
    .map((button) => ({ name: button.innerText.trim(), button }))
    .filter(({ name }) => name !== '')
  return { buttons, code: main?.querySelector<HTMLElement>('[data-code]')?.dataset.code }
}

/** The list of the keys; it stands with the screens. */
export function useKeysEntry(): Entry {
  const { keys } = useTexts(shellTexts)
  return { kind: 'screens', name: keys, hint: '?', run: useKeyLegend() }
}

/** What the account's menu offers. */
export function useAccountEntries(): Entry[] {
  const { theme, language, signOut } = useAccountActs()
  const texts = useTexts(paletteTexts)
  return [
    { kind: 'account', ...theme },
    { kind: 'account', name: language.name, hint: texts.language, run: language.run },
    { kind: 'account', ...signOut },
  ]
}
