/**
 * Gives the focus back to a control that lost it because it was disabled while something was saved, unless the person has gone
 * elsewhere meanwhile. The browser itself leaves the focus nowhere, so that the Tab key would begin at the top of the page.
 */
export function keepFocus(): void {
  let last: HTMLElement | undefined
  document.addEventListener('focusin', ({ target }) => {
    last = target instanceof HTMLElement ? target : undefined
  })
  document.addEventListener(
    'pointerdown',
    ({ target }) => {
      if (!last?.contains(target as Node)) last = undefined
    },
    true,
  )
  new MutationObserver(() => {
    if (last?.isConnected && !last.matches(':disabled') && document.activeElement === document.body)
      last.focus({ preventScroll: true })
  }).observe(document.body, { subtree: true, attributeFilter: ['disabled'] })
}
