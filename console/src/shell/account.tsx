import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { Initials } from '../components/initials.tsx'
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
      <Initials name={user.name} />
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
