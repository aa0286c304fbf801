import { IconHelpCircle } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'
import type { Term } from './term-texts.ts'
import classes from './whats-this.module.css'

const TermNote = lazy(async () => ({ default: (await import('./term-note.tsx')).TermNote }))

/**
 * A question mark beside a difficult term, which explains it. `of` is the term as it is written there. The browser
 * itself handles opening, closing and the focus; the explanation is loaded when it is first opened. While it is open, Escape
 * closes it and not the dialog around it.
 */
export function WhatsThis({ term, of }: { term: Term; of: string }) {
  const { whatIs } = useTexts(common)
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <span className={`${classes.word} no-print`}>
      <button
        type="button"
        className={classes.mark}
        popoverTarget={id}
        aria-label={whatIs(of)}
        data-mantine-stop-propagation={isOpen}
      >
        <IconHelpCircle size={16} stroke={1.75} aria-hidden />
      </button>
      <div
        id={id}
        popover="auto"
        role="dialog"
        aria-label={whatIs(of)}
        className={`floating ${classes.note}`}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {isOpen && (
          <Suspense>
            <TermNote term={term} />
          </Suspense>
        )}
      </div>
    </span>
  )
}

/** A field with a question mark at the end of its label's line, outside the label, so that the field's name stays as it is. */
export function Explained(props: { term: Term; of: string; children: ReactNode }) {
  return (
    <div className={classes.field}>
      {props.children}
      <WhatsThis term={props.term} of={props.of} />
    </div>
  )
}
