import { Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconHelpCircle, IconKey, IconLanguage, IconLogout, IconMoon, IconSun } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { queryClient } from '../api/query.ts'
import { signOut } from '../api/session.ts'
import { openedLater } from '../components/dialogs/dialog.tsx'
import { forgetCopies } from '../screens/pos/outage/kept-store.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { useSession } from './session.tsx'
import { forgetPerson } from './sign-in/forget-person.ts'
import { useSignOutQuestion } from './sign-in/sign-out-question.tsx'
import { shellTexts } from './texts.ts'

const ChangePassword = openedLater(async () => (await import('./change-password.tsx')).ChangePassword)

/**
 * The theme, the language, the password and signing out, in a menu opened by `target`. It is loaded when it is first pressed, and
 * then opens.
 */
export function AccountMenu({ target }: { target: ReactNode }) {
  const texts = useTexts(shellTexts)
  const askBefore = useSignOutQuestion()
  const [isChanging, changing] = useDisclosure()
  const { user } = useSession()
  const { language, setLanguage } = useLanguage()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')

  async function leave() {
    await signOut()
    sessionStorage.clear()
    forgetPerson()
    await forgetCopies().catch(() => undefined)
    queryClient.clear()
    location.assign('/sign-in')
  }

  return (
    <>
      <Menu position="top-start" width={220} defaultOpened>
        <Menu.Target>{target}</Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{user.email}</Menu.Label>
          <Menu.Item
            leftSection={scheme === 'dark' ? <IconSun {...icon} /> : <IconMoon {...icon} />}
            closeMenuOnClick={false}
            onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
          >
            {scheme === 'dark' ? texts.light : texts.dark}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconLanguage {...icon} />}
            onClick={() => setLanguage(language === 'vi' ? 'en' : 'vi')}
            lang={language === 'vi' ? 'en' : 'vi'}
          >
            {language === 'vi' ? 'English' : 'Tiếng Việt'}
          </Menu.Item>
          <Menu.Item leftSection={<IconHelpCircle {...icon} />} component={Link} to="/help">
            {texts.help}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconKey {...icon} />} onClick={changing.open}>
            {texts.changePassword}
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout {...icon} />} onClick={() => void askBefore(leave)}>
            {texts.signOut}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ChangePassword opened={isChanging} onClose={changing.close} />
    </>
  )
}

const icon = { size: 16, stroke: 1.75, 'aria-hidden': true }
