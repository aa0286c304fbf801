/** The element that has the focus, or had it last, the page it was on, and the elements around it, the innermost first. */
type Focused = { element: HTMLElement; page: string; around: Element[] }

/**
 * Gives the focus back where the browser leaves it nowhere, so that a screen reader and the Tab key would begin at the top of the page:
 * to a control that was disabled while something was saved, and, if the control itself is gone, to what was around it. Nothing
 * is done if the person has gone elsewhere meanwhile.
 */
export function keepFocus(): void {
  let last: Focused | undefined
  document.addEventListener('focusin', ({ target }) => {
    last = target instanceof HTMLElement ? focusedNow(target) : undefined
  })
  document.addEventListener(
    'pointerdown',
    ({ target }) => {
      if (!last?.element.contains(target as Node)) last = undefined
    },
    true,
  )
  new MutationObserver(() => {
    if (last === undefined || document.activeElement !== document.body) return
    const { element } = last
    if (element.isConnected) {
      if (!element.matches(':disabled')) element.focus({ preventScroll: true })
      return
    }
    const gone = last
    // Also if it was of another page, to which the person may come back.
    last = undefined
    focusPlaceOf(gone)
  }).observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] })
}

function focusedNow(element: HTMLElement): Focused {
  const around: Element[] = []
  for (let one = element.parentElement; one !== null; one = one.parentElement) around.push(one)
  return { element, page: window.location.href, around }
}

/**
 * Focuses the innermost element around a removed control that is left, within the content of the page: not one of its controls, which a
 * second Enter would press. A page that is left has no such place.
 */
function focusPlaceOf({ page, around }: Focused): void {
  const content = document.querySelector('main')
  if (content === null || page !== window.location.href) return
  const place = around.find((one) => content.contains(one)) ?? content
  if (!(place instanceof HTMLElement)) return
  if (!place.hasAttribute('tabindex')) {
    place.tabIndex = -1
    place.dataset.keptFocus = ''
    place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true })
  }
  place.focus({ preventScroll: true })
}
