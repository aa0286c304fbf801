import { Button } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import type { Applied } from './applied.tsx'
import classes from './list.module.css'

/** A list's search and its other filter fields, in one line. On a phone the others are behind a button, which counts the applied ones. */
export function FoldedFields<S>(props: { search: ReactNode; applied: Applied<S>[]; children: ReactNode }) {
  const { filters } = useTexts(common)
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const count = props.applied.filter(({ without }) => !('search' in without || 'phone' in without)).length
  return (
    <div className={classes.fields}>
      <div className={classes.search}>{props.search}</div>
      <Button
        hiddenFrom="sm"
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {filters(count)}
      </Button>
      <div id={id} className={classes.more} data-open={isOpen || undefined}>
        {props.children}
      </div>
    </div>
  )
}
