import axe from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * What axe finds in the dialog in front, once it has come to rest; undefined where none is open. Only in the dialog, and not in
 * its frames: a preview's frame runs no scripts, and asking it would wait forever.
 */
export async function barriersInDialog(page: Page): Promise<string[] | undefined> {
  if (!(await page.evaluate('window.axe !== undefined'))) await page.evaluate(axe.source)
  return (await page.evaluate(CHECK)) as string[] | undefined
}

/** Runs in the page. A dialog that looks as one before, but for its data, is not looked at again. */
const CHECK = `(async () => {
  const pause = () => new Promise((done) => requestAnimationFrame(done))
  for (let n = 0; n < 60 && document.getAnimations().some((one) => one instanceof CSSTransition); n++) await pause()
  const dialog = [...document.querySelectorAll('[role="dialog"]')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .at(-1)
  if (dialog === undefined) return undefined
  const kind = [...dialog.querySelectorAll('*')].map((one) => [one.localName, one.getAttribute('class'), one.getAttribute('style')].join(' ')).join()
  const checked = (window.checked ??= new Set())
  if (checked.has(kind)) return []
  checked.add(kind)
  const { violations } = await window.axe.run(dialog, { iframes: false, resultTypes: ['violations'] })
  return violations.map(({ id, impact, nodes }) =>
    impact + ' ' + id + ': ' + nodes.map(({ target, html }) => target.join(' ') + ' ' + html.slice(0, 120)).join(' | '))
})()`
