import { Box, Burger, UnstyledButton } from '@mantine/core'
import { useDisclosure, useFullscreenDocument, useHotkeys, useLocalStorage } from '@mantine/hooks'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState } from 'react'
import { useIsExpired } from '../api/expiry.ts'
import { AwayNote } from '../components/away-note.tsx'
import { LeaveGuard } from '../components/forms/leave-question.tsx'
import { LoadingBar } from '../components/loading-bar.tsx'
import { EmptyState } from '../components/page.tsx'
import { useSendWaiting } from '../screens/pos/outage/use-send-waiting.ts'
import { useTexts } from '../texts/language.tsx'
import { Account } from './account.tsx'
import { useLegendKey } from './keys/use-key-legend.tsx'
import classes from './menu.module.css'
import { ScreenMenu } from './menu.tsx'
import { PaletteButton, PaletteEntry } from './palette/palette-buttons.tsx'
import { TypedAhead } from './palette/typed-ahead.tsx'
import { useSession } from './session.tsx'
import { shellTexts } from './texts.ts'
import { VisitNote } from './visit-note.tsx'

/** Needed only by people who were away for long. */
const SignInAgain = lazy(async () => ({ default: (await import('./sign-in/sign-in-again.tsx')).SignInAgain }))
const Palette = lazy(async () => ({ default: (await import('./palette/palette.tsx')).Palette }))
const ShopSelect = lazy(async () => ({ default: (await import('./shop-select.tsx')).ShopSelect }))

/** The frame of every screen: the shop, the menu and the account at the side; on a phone above, opened by a button. */
export function Shell() {
  const texts = useTexts(shellTexts)
  const { shop, user, canWrite } = useSession()
  const isExpired = useIsExpired()
  // The service would refuse the sales of a person who may not sell.
  useSendWaiting(canWrite ? shop?._id : undefined)
  const [isOpen, { toggle, close }] = useDisclosure()
  const [typed, setTyped] = useState('')
  /** What had the focus before the palette took it. */
  const before = useRef<Element | null>(null)
  const [isFinding, finding] = useDisclosure(false, {
    onOpen() {
      before.current = document.activeElement
    },
    onClose() {
      setTyped('')
      const last = before.current
      if (last instanceof HTMLElement) requestAnimationFrame(() => last.focus({ preventScroll: true }))
    },
  })
  // Also active in fields, because the browser would otherwise search the web.
  useHotkeys([['mod+K', finding.open]], [])
  useLegendKey()
  const [isFolded, setIsFolded] = useLocalStorage({
    key: 'shopbell.menu-narrow',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const isNarrow = isFolded && !isOpen
  const { fullscreen } = useFullscreenDocument()
  // On the full screen, the counter has no menu beside it.
  const isFull = useLocation().pathname === '/pos' && fullscreen

  return (
    <div data-frame={isFull ? 'full' : isNarrow ? 'narrow' : 'wide'}>
      <a href="#content" className={classes.skip}>
        {texts.skip}
      </a>
      <header className={`${classes.header} no-print`}>
        <Burger opened={isOpen} onClick={toggle} color="#fff" size="sm" aria-label={texts.menu} />
        <img src="/icon.svg" alt="" width={28} height={28} />
        <span className={classes.name}>{shop?.name ?? 'Shopbell'}</span>
        <PaletteButton className={classes.tool} onOpen={finding.open} />
      </header>
      <nav
        className={`${classes.side} no-print`}
        aria-label={texts.menu}
        data-narrow={isNarrow || undefined}
        data-closed={!isOpen || undefined}
      >
        <Brand isNarrow={isNarrow} onFold={() => setIsFolded(!isFolded)} />
        <PaletteEntry isNarrow={isNarrow} onOpen={finding.open} />
        <ScreenMenu isNarrow={isNarrow} onGo={close} />
        <Account isNarrow={isNarrow} />
      </nav>
      <main id="content" className={classes.content}>
        <AwayNote />
        <VisitNote />
        {shop === undefined && !user.isOperator ? (
          <EmptyState title={texts.noShopTitle} hint={texts.noShopHint} />
        ) : (
          // The content belongs to one shop, so it is mounted again for another.
          <Outlet key={shop?._id} />
        )}
      </main>
      {isFinding && (
        <Suspense fallback={<TypedAhead text={typed} onType={setTyped} />}>
          <Palette typed={typed} onClose={finding.close} />
        </Suspense>
      )}
      <LoadingBar />
      <LeaveGuard />
      {isExpired && (
        <Suspense>
          <SignInAgain />
        </Suspense>
      )}
    </div>
  )
}

/** The current shop, or a choice if the member has several. */
function Brand({ isNarrow, onFold }: { isNarrow: boolean; onFold: () => void }) {
  const texts = useTexts(shellTexts)
  const { shop, shops } = useSession()
  const Icon = isNarrow ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <Box className={classes.brand} visibleFrom={shops.length > 1 ? undefined : 'md'}>
      <img src="/icon.svg" alt="" width={30} height={30} />
      {!isNarrow &&
        (shops.length > 1 ? (
          <Suspense>
            <ShopSelect />
          </Suspense>
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
