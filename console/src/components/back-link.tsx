import { Link, useMatch } from '@tanstack/react-router'
import { useGroups } from '../shell/menu.tsx'
import { itemOf } from '../shell/menu-items.ts'
import { shellTexts } from '../shell/texts.ts'
import { useTexts } from '../texts/language.tsx'
import classes from './page.module.css'

/** The end of a record's route, after the path of its list. */
const RECORD = /(\/shops)?\/(\$\w+|new|send|import)$/

/** The filters and page of each list of the shop as it was last shown. */
export const shownLists = new Map<string, object>()

/** On the screen of a record, a link to its list: an installed console has no back button. Elsewhere nothing. */
export function BackLink() {
  const { items: names } = useTexts(shellTexts)
  const { groups } = useGroups()
  const { fullPath, search } = useMatch({ strict: false })
  const list = fullPath.replace(RECORD, '')
  if (list === fullPath) {
    shownLists.set(list, search)
    return null
  }
  const item = itemOf(
    list,
    groups.flatMap(({ items }) => items),
  )
  return (
    item && (
      <Link
        to={list}
        search={shownLists.get(list) as never}
        activeOptions={{ exact: true }}
        className={classes.back}
      >
        {names[item.text]}
      </Link>
    )
  )
}
