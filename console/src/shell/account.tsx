import {
  Menu,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core'
import { IconLanguage, IconLogout, IconMoon, IconSelector, IconSun } from '@tabler/icons-react'
import { queryClient } from '../api/query.ts'
import { forgetMe, signOut } from '../api/session.ts'
import { forgetCopies } from '../screens/pos/outage/kept-store.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import classes from './menu.module.css'
import { useSession } from './session.tsx'
import { shellTexts } from './texts.ts'

/** Who is signed in: a menu of the theme, the language and the way out. */
export function Account({ isNarrow }: { isNarrow: boolean }) {
  const texts = useTexts(shellTexts)
  const { user, shop } = useSession()
  const { language, setLanguage } = useLanguage()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const role = shop === undefined ? texts.items.operator : texts.roleNames[shop.role]

  async function leave() {
    await signOut()
    sessionStorage.clear()
    forgetMe()
    await forgetCopies().catch(() => undefined)
    queryClient.clear()
    location.assign('/sign-in')
  }

  return (
    <div className={classes.foot}>
      <Menu position="top-start" width={220}>
        <Menu.Target>
          <UnstyledButton className={classes.me}>
            <span className={classes.face} aria-hidden>
              {initialsOf(user.name)}
            </span>
            {isNarrow ? (
              <VisuallyHidden>{user.name}</VisuallyHidden>
            ) : (
              <span className={classes.name}>
                {user.name}
                <small>{role}</small>
              </span>
            )}
            {!isNarrow && <IconSelector {...icon} />}
          </UnstyledButton>
        </Menu.Target>
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
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout {...icon} />} onClick={leave}>
            {texts.signOut}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}

const icon = { size: 16, stroke: 1.75, 'aria-hidden': true }

/** Of the last two words, by which Vietnamese names are told apart: `Nguyễn Thu Hà` is TH. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  return words
    .slice(-2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
}
