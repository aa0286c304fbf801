import {
  ActionIcon,
  AppShell,
  Badge,
  Burger,
  Group,
  Menu,
  NavLink,
  ScrollArea,
  Select,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconBuildingStore,
  IconCash,
  IconChartBar,
  IconFileText,
  IconLanguage,
  IconMessage,
  IconMoon,
  IconNews,
  IconReceipt,
  IconSettings,
  IconShoppingCart,
  IconSun,
  IconTool,
  IconUser,
  IconUsers,
} from '@tabler/icons-react'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { queryClient } from '../api/query.ts'
import { signOut } from '../api/session.ts'
import { EmptyState } from '../components/page.tsx'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { useSession } from './session.tsx'
import { shellTexts } from './texts.ts'

const SCREENS = [
  { to: '/', text: 'overview', icon: IconChartBar },
  { to: '/templates', text: 'templates', icon: IconFileText },
  { to: '/messages', text: 'messages', icon: IconMessage },
  { to: '/products', text: 'products', icon: IconBuildingStore },
  { to: '/orders', text: 'orders', icon: IconReceipt },
  { to: '/pos', text: 'pos', icon: IconShoppingCart },
  { to: '/news', text: 'news', icon: IconNews },
  { to: '/customers', text: 'customers', icon: IconUsers },
  { to: '/wallet', text: 'wallet', icon: IconCash },
  { to: '/settings', text: 'settings', icon: IconSettings },
] as const

/** The frame of every screen: where one is, in which shop, and the ways elsewhere. */
export function Shell() {
  const texts = useTexts(shellTexts)
  const { shop, user } = useSession()
  const [isOpen, { toggle, close }] = useDisclosure()
  const { pathname } = useLocation()
  const isHere = (to: string) => (to === '/' ? pathname === '/' : pathname.startsWith(to))
  const screens = [
    ...(shop === undefined ? [] : SCREENS),
    ...(user.isOperator ? [{ to: '/operator', text: 'operator', icon: IconTool } as const] : []),
  ]

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header className="no-print">
        <Header isOpen={isOpen} toggle={toggle} />
      </AppShell.Header>
      <AppShell.Navbar p="xs" className="no-print" aria-label={texts.menu}>
        <ScrollArea>
          {screens.map(({ to, text, icon: Icon }) => (
            <NavLink
              key={to}
              component={Link}
              to={to}
              label={texts[text]}
              leftSection={<Icon size={18} aria-hidden />}
              active={isHere(to)}
              onClick={close}
              aria-current={isHere(to) ? 'page' : undefined}
            />
          ))}
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main>
        {shop === undefined && !user.isOperator ? (
          <EmptyState title={texts.noShopTitle} hint={texts.noShopHint} />
        ) : (
          <Outlet />
        )}
      </AppShell.Main>
    </AppShell>
  )
}

function Header({ isOpen, toggle }: { isOpen: boolean; toggle: () => void }) {
  const texts = useTexts(shellTexts)
  const { shop, shops, chooseShop, canWrite } = useSession()
  return (
    <Group h="100%" px="md" justify="space-between" wrap="nowrap">
      <Group wrap="nowrap" gap="sm">
        <Burger opened={isOpen} onClick={toggle} hiddenFrom="md" size="sm" aria-label={texts.menu} />
        <img src="/icon.svg" alt="" width={26} height={26} />
        {shops.length > 1 ? (
          <Select
            aria-label={texts.shop}
            data={shops.map(({ _id, name }) => ({ value: _id, label: name }))}
            value={shop?._id ?? null}
            allowDeselect={false}
            searchable
            onChange={(id) => id !== null && chooseShop(id)}
          />
        ) : (
          <Text fw={600} truncate>
            {shop?.name ?? 'Shopbell'}
          </Text>
        )}
        {shop !== undefined && !canWrite && <Badge variant="light">{texts.viewer}</Badge>}
      </Group>
      <HeaderMenus />
    </Group>
  )
}

function HeaderMenus() {
  const texts = useTexts(shellTexts)
  const { user } = useSession()
  const { language, setLanguage } = useLanguage()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')

  async function leave() {
    await signOut()
    queryClient.clear()
    location.assign('/sign-in')
  }

  return (
    <Group gap={4} wrap="nowrap">
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={texts.theme}
        onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
      >
        {scheme === 'dark' ? <IconSun size={18} /> : <IconMoon size={18} />}
      </ActionIcon>
      <Menu>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={texts.language}>
            <IconLanguage size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setLanguage('vi')} aria-current={language === 'vi'}>
            Tiếng Việt
          </Menu.Item>
          <Menu.Item onClick={() => setLanguage('en')} aria-current={language === 'en'}>
            English
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Menu>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={user.email}>
            <IconUser size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{user.email}</Menu.Label>
          <Menu.Item onClick={leave}>{texts.signOut}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
