import { AppShell, Box, Burger, Select, UnstyledButton } from '@mantine/core'
import { useDisclosure, useFullscreenDocument, useLocalStorage } from '@mantine/hooks'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { Outlet, useLocation } from '@tanstack/react-router'
import { AwayNote } from '../components/away-note.tsx'
import { LeaveGuard } from '../components/forms/leave-question.tsx'
import { LoadingBar } from '../components/loading-bar.tsx'
import { EmptyState } from '../components/page.tsx'
import { useSendWaiting } from '../screens/pos/outage/use-waiting-sales.ts'
import { useTexts } from '../texts/language.tsx'
import { Account } from './account.tsx'
import classes from './menu.module.css'
import { ScreenMenu } from './menu.tsx'
import { useSession } from './session.tsx'
import { SignInAgain } from './sign-in-again.tsx'
import { shellTexts } from './texts.ts'

/** The frame of every screen: the shop, the menu and the account at the side; on a phone above, opened by a button. */
export function Shell() {
  const texts = useTexts(shellTexts)
  const { shop, user } = useSession()
  useSendWaiting(shop?._id)
  const [isOpen, { toggle, close }] = useDisclosure()
  const [isFolded, setIsFolded] = useLocalStorage({
    key: 'shopbell.menu-narrow',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const isNarrow = isFolded && !isOpen
  const { fullscreen } = useFullscreenDocument()
  // On the whole screen the counter has no menu beside it.
  const isFull = useLocation().pathname === '/pos' && fullscreen

  return (
    <AppShell
      header={{ height: { base: 52, md: 0 } }}
      navbar={{
        width: isNarrow ? 64 : 224,
        breakpoint: 'md',
        collapsed: { mobile: !isOpen, desktop: isFull },
      }}
      padding={{ base: 'md', md: 'xl' }}
    >
      <a href="#content" className={classes.skip}>
        {texts.skip}
      </a>
      <AppShell.Header className={`${classes.header} no-print`} hiddenFrom="md">
        <Burger opened={isOpen} onClick={toggle} color="#fff" size="sm" aria-label={texts.menu} />
        <img src="/icon.svg" alt="" width={28} height={28} />
        <span className={classes.name}>{shop?.name ?? 'Shopbell'}</span>
      </AppShell.Header>
      <AppShell.Navbar
        className={`${classes.side} no-print`}
        aria-label={texts.menu}
        data-narrow={isNarrow || undefined}
        data-closed={!isOpen || undefined}
      >
        <Brand isNarrow={isNarrow} onFold={() => setIsFolded(!isFolded)} />
        <ScreenMenu isNarrow={isNarrow} onGo={close} />
        <Account isNarrow={isNarrow} />
      </AppShell.Navbar>
      <AppShell.Main id="content">
        <AwayNote />
        {shop === undefined && !user.isOperator ? (
          <EmptyState title={texts.noShopTitle} hint={texts.noShopHint} />
        ) : (
          <Outlet />
        )}
      </AppShell.Main>
      <LoadingBar />
      <LeaveGuard />
      <SignInAgain />
    </AppShell>
  )
}

/** The shop in use, or a choice where the member has several. */
function Brand({ isNarrow, onFold }: { isNarrow: boolean; onFold: () => void }) {
  const texts = useTexts(shellTexts)
  const { shop, shops, chooseShop } = useSession()
  const Icon = isNarrow ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <Box className={classes.brand} visibleFrom={shops.length > 1 ? undefined : 'md'}>
      <img src="/icon.svg" alt="" width={30} height={30} />
      {!isNarrow &&
        (shops.length > 1 ? (
          <Select
            aria-label={texts.shop}
            size="xs"
            flex={1}
            data={shops.map(({ _id, name }) => ({ value: _id, label: name }))}
            value={shop?._id ?? null}
            allowDeselect={false}
            searchable
            onChange={(id) => id !== null && chooseShop(id)}
          />
        ) : (
          <span className={classes.name}>{shop?.name ?? 'Shopbell'}</span>
        ))}
      <UnstyledButton
        className={classes.tool}
        visibleFrom="md"
        aria-label={isNarrow ? texts.unfold : texts.fold}
        onClick={onFold}
      >
        <Icon size={18} stroke={1.75} aria-hidden />
      </UnstyledButton>
    </Box>
  )
}
