import { Button, Checkbox, Stack } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconColumns } from '@tabler/icons-react'
import { useId } from 'react'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import classes from './columns-menu.module.css'
import type { Column } from './data-table.tsx'

/**
 * The shown columns of a list: the default ones, unless the person has chosen others in this browser. The first column is always
 * shown.
 */
export function useColumnChoice<R>(list: string | undefined, columns: Column<R>[]) {
  const { user } = useSession()
  const [changed, setChanged] = useLocalStorage<string[]>({
    key: `shopbell.columns ${list ?? ''} ${user._id}`,
    defaultValue: NONE,
    getInitialValueInEffect: false,
  })
  const isShown = ({ id, isHiddenAtFirst = false }: Column<R>) =>
    id === undefined || (list !== undefined && changed.includes(id)) === isHiddenAtFirst
  return {
    shown: columns.filter(isShown),
    isShown,
    toggle: (id: string) =>
      setChanged((now) => (now.includes(id) ? now.filter((one) => one !== id) : [...now, id])),
  }
}

const NONE: string[] = []

/** A menu that chooses which columns a list shows. */
export function ColumnsMenu<R>(props: {
  columns: Column<R>[]
  isShown: (column: Column<R>) => boolean
  toggle: (id: string) => void
}) {
  const texts = useTexts(common)
  const id = useId()
  return (
    <span className={classes.place}>
      <Button
        className={classes.button}
        popoverTarget={id}
        size="xs"
        variant="subtle"
        color="gray"
        leftSection={<IconColumns size={16} aria-hidden />}
      >
        {texts.columns}
      </Button>
      <div
        id={id}
        popover="auto"
        role="dialog"
        aria-label={texts.columns}
        className={`floating ${classes.menu}`}
      >
        <Stack gap="xs">
          {props.columns.flatMap((column) =>
            column.id === undefined
              ? []
              : [
                  <Checkbox
                    key={column.id}
                    label={column.title}
                    checked={props.isShown(column)}
                    onChange={() => props.toggle(column.id!)}
                  />,
                ],
          )}
        </Stack>
      </div>
    </span>
  )
}
