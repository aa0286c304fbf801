import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../texts/language.tsx'
import classes from './menu.module.css'
import { useSession } from './session.tsx'
import { shellTexts } from './texts.ts'

const AccountMenu = lazy(async () => ({ default: (await import('./account-menu.tsx')).AccountMenu }))

/** The signed-in person: a button that opens the menu with the theme, the language and signing out. */
export function Account({ isNarrow }: { isNarrow: boolean }) {
  const texts = useTexts(shellTexts)
  const { user, shop } = useSession()
  const [isAsked, setIsAsked] = useState(false)
  const role = shop === undefined ? texts.items.operator : texts.roleNames[shop.role]
  const button = (
    <UnstyledButton className={classes.me} aria-haspopup="menu" onClick={() => setIsAsked(true)}>
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
      {!isNarrow && <IconSelector size={16} stroke={1.75} aria-hidden />}
    </UnstyledButton>
  )
  return (
    <div className={classes.foot}>
      {isAsked ? (
        <Suspense fallback={button}>
          <AccountMenu target={button} />
        </Suspense>
      ) : (
        button
      )}
    </div>
  )
}

/** The initials of the last two words, which distinguish Vietnamese names: `Nguyễn Thu Hà` is TH. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  return words
    .slice(-2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
}
