import { type MouseEvent, type RefObject, useEffect } from 'react'
import { isDialogOpen } from '../dialogs/open-dialog.ts'

/** Elements in which letters are typed, or have another meaning. */
export const TAKES_LETTERS =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"], [role="combobox"], [role="menu"]'

/** Marks a list's search field, for the key `/`. */
export const SEARCH_MARK = { 'data-list-search': true }

/** The record that was opened last, and the address of the list that it was opened from. */
let opened: { list: string; record: string } | undefined

/** Remembers a link in the list's rows that is followed in this window; called before the router changes the address. */
export function noteOpened(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  const record = (event.target as Element).closest('tbody a')?.getAttribute('href')
  if (record != null) opened = { list: window.location.href, record }
}

/**
 * The keys of a list: `j` and `k` go to the next and the previous row, whose link Enter opens; `x` selects the row; `/`
 * goes to the search field. After the return from a record, the list continues at its row. `frame` contains the list's rows and is a
 * `data-list`. If there are several lists, the keys work in the one with the focus, otherwise in the first.
 */
export function useListKeys(frame: RefObject<HTMLElement | null>): void {
  // After each rendering, because the rows may appear later than the list.
  useEffect(() => {
    if (opened?.list !== window.location.href || document.activeElement !== document.body) return
    const link = frame.current?.querySelector<HTMLElement>(`tbody a[href="${CSS.escape(opened.record)}"]`)
    if (link == null) return
    opened = undefined
    link.focus({ preventScroll: true })
  })
  useEffect(() => {
    function press(event: KeyboardEvent) {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      const isElsewhere = (event.target as Element).closest(TAKES_LETTERS) !== null
      if (isElsewhere || isDialogOpen()) return
      const list =
        document.activeElement?.closest('[data-list]') ?? document.querySelector('main [data-list]')
      if (list === null || list !== frame.current) return
      const rows = [...list.querySelectorAll('tbody tr')]
      const at = rows.findIndex((row) => row.contains(document.activeElement))
      if (event.key === '/') document.querySelector<HTMLElement>('main [data-list-search]')?.focus()
      else if (event.key === 'j') go(rows[at + 1])
      else if (event.key === 'k') go(rows[at === -1 ? 0 : at - 1])
      else if (event.key === 'x') rows[at]?.querySelector<HTMLElement>('input[type="checkbox"]')?.click()
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [frame])
}

function go(row: Element | undefined): void {
  row?.querySelector<HTMLElement>('a')?.focus()
}
