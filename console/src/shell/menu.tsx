import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { useTexts } from '../texts/language.tsx'
import classes from './menu.module.css'
import { type MenuCount, useMenuCounts } from './menu-counts.ts'
import { GROUPS, type Group, HOME, type Item, itemOf, OPERATOR } from './menu-items.ts'
import { useSession } from './session.tsx'
import { shellTexts } from './texts.ts'

/** The groups that the member may see. An operator's own screens are among the settings. */
export function useGroups(): { home: Item | undefined; groups: Group[] } {
  const { shop, user, isOwner } = useSession()
  const own = user.isOperator ? [OPERATOR] : []
  if (shop === undefined) return { home: undefined, groups: [{ name: 'settings', items: own }] }
  const groups = GROUPS.map(({ name, items }) => {
    const shown = items.filter(({ isOwners = false }) => isOwner || !isOwners)
    return { name, items: name === 'settings' ? [...shown, ...own] : shown }
  })
  return { home: HOME, groups }
}

/** The screens in groups that can be collapsed. `isNarrow` shows only the icons. */
export function ScreenMenu({ isNarrow, onGo }: { isNarrow: boolean; onGo: () => void }) {
  const { groups: names } = useTexts(shellTexts)
  const { home, groups } = useGroups()
  const counts = useMenuCounts()
  const { pathname } = useLocation()
  const [folded, setFolded] = useLocalStorage<string[]>({
    key: 'shopbell.menu-folded',
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const all = [...(home === undefined ? [] : [home]), ...groups.flatMap(({ items }) => items)]
  const here = itemOf(pathname, all)
  const entry = (item: Item) => (
    <li key={item.to}>
      <Entry item={item} count={counts[item.to]} isHere={item === here} isNarrow={isNarrow} onGo={onGo} />
    </li>
  )
  const toggle = (name: string) =>
    setFolded((now) => (now.includes(name) ? now.filter((one) => one !== name) : [...now, name]))

  return (
    <div className={classes.scroll}>
      {home !== undefined && <ul>{entry(home)}</ul>}
      {groups.map(({ name, items }) => {
        const isOpen = isNarrow || !folded.includes(name)
        return (
          <div key={name}>
            {isNarrow ? (
              <div className={classes.rule} />
            ) : (
              <UnstyledButton className={classes.group} aria-expanded={isOpen} onClick={() => toggle(name)}>
                {names[name]}
                <IconChevronDown size={14} aria-hidden />
              </UnstyledButton>
            )}
            {/* A collapsed group still shows the current screen. */}
            <ul aria-label={names[name]}>{items.filter((item) => isOpen || item === here).map(entry)}</ul>
          </div>
        )
      })}
    </div>
  )
}

function Entry(props: {
  item: Item
  count: MenuCount | undefined
  isHere: boolean
  isNarrow: boolean
  onGo: () => void
}) {
  const { items: names } = useTexts(shellTexts)
  const { item, count, isHere, isNarrow } = props
  const { to, icon: Icon } = item
  const name = names[item.text]
  return (
    <Link
      to={to}
      className={classes.item}
      onClick={props.onGo}
      aria-current={isHere ? 'page' : undefined}
      activeOptions={{ exact: true }}
      aria-description={count?.says}
      title={
        [...(isNarrow ? [name] : []), ...(count === undefined ? [] : [count.says])].join(': ') || undefined
      }
    >
      <Icon size={18} stroke={1.75} aria-hidden />
      {isNarrow ? <VisuallyHidden>{name}</VisuallyHidden> : name}
      {count !== undefined && (
        <span className={classes.count} aria-hidden>
          {count.shown}
        </span>
      )}
    </Link>
  )
}
