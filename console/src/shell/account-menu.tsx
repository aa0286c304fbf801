import { Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconHelpCircle, IconKey, IconLanguage, IconLogout, IconMoon, IconSun } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { openedLater } from '../components/dialogs/dialog.tsx'
import { useTexts } from '../texts/language.tsx'
import { useSession } from './session.tsx'
import { shellTexts } from './texts.ts'
import { useAccountActs } from './use-account-acts.ts'

const ChangePassword = openedLater(async () => (await import('./change-password.tsx')).ChangePassword)

/**
 * The theme, the language, the password and signing out, in a menu opened by `target`. It is loaded when it is first pressed, and
 * then opens.
 */
export function AccountMenu({ target }: { target: ReactNode }) {
  const texts = useTexts(shellTexts)
  const [isChanging, changing] = useDisclosure()
  const { user } = useSession()
  const { theme, language, signOut } = useAccountActs()
  return (
    <>
      <Menu position="top-start" width={220} defaultOpened>
        <Menu.Target>{target}</Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{user.email}</Menu.Label>
          <Menu.Item
            leftSection={theme.isDark ? <IconSun {...icon} /> : <IconMoon {...icon} />}
            closeMenuOnClick={false}
            onClick={theme.run}
          >
            {theme.name}
          </Menu.Item>
          <Menu.Item leftSection={<IconLanguage {...icon} />} onClick={language.run} lang={language.code}>
            {language.name}
          </Menu.Item>
          <Menu.Item leftSection={<IconHelpCircle {...icon} />} component={Link} to="/help">
            {texts.help}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconKey {...icon} />} onClick={changing.open}>
            {texts.changePassword}
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout {...icon} />} onClick={signOut.run}>
            {signOut.name}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ChangePassword opened={isChanging} onClose={changing.close} />
    </>
  )
}

const icon = { size: 16, stroke: 1.75, 'aria-hidden': true }
