/** The object that {@link WATCH} adds to a page as `window.watched`. */
export type Watched = {
  /** The texts that were shown, or announced to a screen reader, at any moment since the last call. */
  take(): string[]
  /** Resolves when no response or retry is outstanding, at the latest after `mostMs`. */
  quiet(mostMs: number): Promise<void>
  /** Follows a link of the page. Resolves when another screen is shown. */
  go(address: string): Promise<void>
  /** The distinct beginnings of the names of what can be pressed on the page. Further rows do the same. */
  pressable(): string[]
  /**
   * Presses the first element whose name begins like this; in the dialogs if one is open.
   * @returns whether there is one
   */
  press(name: string): boolean
  isDialogOpen(): boolean
  /** Types into every field; of the last dialog if one is open. */
  fill(text: string): void
  /**
   * Presses the last button; of the last dialog if one is open.
   * @returns whether there is one
   */
  pressLast(): boolean
  /**
   * Presses every button that retries a failed read.
   * @returns how many there were
   */
  retryAll(): number
  hasFailed(): boolean
}

/** While no read succeeds, the console retries endlessly. */
export const QUIET_TIMEOUT_MS = 600

/**
 * Runs in the page before its own scripts. It shortens waits, including those of the client's retries, so that
 * everything that follows a request happens shortly after its response.
 */
export const WATCH = `(() => {
  const QUIET_MS = 40
  const wait = window.setTimeout
  window.setTimeout = (act, ms, ...rest) => wait(act, ms > 50 ? ms / 50 : ms, ...rest)
  const ask = window.fetch
  let asking = 0
  let busyAt = performance.now()
  const isBusy = () => { busyAt = performance.now() }
  window.fetch = (...all) => {
    asking++
    return ask(...all).finally(() => { asking--; isBusy() })
  }

  const seen = new Set()
  const NAMES = ['aria-label', 'title', 'placeholder', 'alt']
  const IS_DATA = 'code, pre, kbd, script, style, [lang="en"]'
  const note = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      if (node.parentElement?.closest(IS_DATA) == null) seen.add(node.data.trim())
    } else if (node instanceof Element) {
      for (const name of NAMES) seen.add(node.getAttribute(name) ?? '')
      node.childNodes.forEach(note)
    }
  }
  new MutationObserver((changes) => {
    isBusy()
    for (const { type, target, addedNodes } of changes) type === 'childList' ? addedNodes.forEach(note) : note(target)
  }).observe(document, { subtree: true, childList: true, characterData: true, attributeFilter: NAMES })

  const all = (selector, root = document) => [...(root ?? document).querySelectorAll(selector)].filter((one) => one.checkVisibility({ visibilityProperty: true }))
  const cut = (name) => name.split(' ').slice(0, 2).join(' ')
  const nameOf = (one) => cut(one.getAttribute('aria-label') ?? one.innerText)
  const IN_MAIN = 'main button:not(:disabled), main [role="tab"]'
  const BUTTONS = 'button:not(:disabled):not(.mantine-Modal-close)'
  const lastDialog = () => all('[role="dialog"]').at(-1)
  const click = (one) => { isBusy(); one?.focus(); one?.click(); return one !== undefined }
  const fill = (text) => {
    for (const field of all('input[type="text"], input[type="email"], input[type="password"], input:not([type]), textarea', lastDialog())) {
      if (field.disabled || field.readOnly) continue
      const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')
      set.call(field, text)
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }
  const retries = () => all('main button').filter((one) => nameOf(one) === cut('Thử lại'))
  const pause = (ms) => new Promise((done) => wait(done, ms))
  window.watched = {
    take() { const texts = [...seen].filter((text) => text !== ''); seen.clear(); return texts },
    async quiet(mostMs) {
      const start = performance.now()
      do await pause(10)
      while ((asking > 0 || performance.now() - busyAt < QUIET_MS) && performance.now() - start < mostMs)
    },
    async go(address) {
      isBusy()
      const isOther = new URL(address, location.href).pathname !== location.pathname
      const before = document.querySelector('main h1')
      history.pushState({}, '', address)
      for (let n = 0; n < 300 && isOther && before?.isConnected; n++) await pause(10)
    },
    pressable: () => [...new Set(all(IN_MAIN).map(nameOf))],
    press: (name) => click(all(lastDialog() ? '[role="dialog"] button' : IN_MAIN).find((one) => nameOf(one) === cut(name))),
    isDialogOpen: () => lastDialog() !== undefined,
    fill,
    pressLast: () => click(all(BUTTONS, lastDialog()).at(-1)),
    retryAll() { const found = retries(); found.forEach(click); return found.length },
    hasFailed: () => retries().length > 0,
  }
})()`
