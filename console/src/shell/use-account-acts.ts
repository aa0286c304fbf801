import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { queryClient } from '../api/query.ts'
import { signOut } from '../api/session.ts'
import { sentenceOf } from '../components/page.tsx'
import { forgetCopies } from '../screens/pos/outage/kept-store.ts'
import { common } from '../texts/common.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { forgetPerson } from './sign-in/forget-person.ts'
import { useSignOutQuestion } from './sign-in/sign-out-question.tsx'
import { shellTexts } from './texts.ts'

/** What the signed-in person can do everywhere: change the theme, change the language, and sign out after the counter's questions. */
export function useAccountActs() {
  const texts = useTexts(shellTexts)
  const { failed, offline } = useTexts(common)
  const askBefore = useSignOutQuestion()
  const { language, setLanguage } = useLanguage()
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const other = language === 'vi' ? 'en' : 'vi'

  async function leave() {
    try {
      await signOut()
    } catch (error) {
      notifications.show({ color: 'red', title: failed, message: sentenceOf(error, offline) })
      return
    }
    sessionStorage.clear()
    forgetPerson()
    await forgetCopies().catch(() => undefined)
    queryClient.clear()
    location.assign('/sign-in')
  }

  return {
    theme: {
      isDark,
      name: isDark ? texts.light : texts.dark,
      run: () => setColorScheme(isDark ? 'light' : 'dark'),
    },
    language: {
      code: other,
      name: other === 'en' ? 'English' : 'Tiếng Việt',
      run: () => setLanguage(other),
    },
    signOut: { name: texts.signOut, run: () => void askBefore(leave) },
  } as const
}
