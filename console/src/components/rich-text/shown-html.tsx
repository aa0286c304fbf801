import { createElement, type ReactNode } from 'react'
import { asHtml, isImageAddress, SHOWN } from './html-values.ts'

/**
 * A text in HTML as elements: those that the editor knows, without attributes except an image's web address and alternative
 * text. Scripts and styles are left out; of other elements only the content is shown.
 */
export function shownHtml(html: string): ReactNode[] {
  const { body } = new DOMParser().parseFromString(asHtml(html), 'text/html')
  return nodesOf(body)
}

function nodesOf(parent: Node): ReactNode[] {
  return [...parent.childNodes].flatMap((node, at): ReactNode | ReactNode[] => {
    if (node instanceof Text) return node.data
    if (!(node instanceof HTMLElement) || /^(script|style)$/i.test(node.tagName)) return []
    const tag = node.tagName.toLowerCase()
    if (tag === 'img') return imageOf(node, at)
    const inner = nodesOf(node)
    if (!SHOWN.has(tag)) return inner
    if (tag === 'br' || tag === 'hr') return createElement(tag, { key: at })
    // An empty line takes its place, as in the editor.
    return createElement(
      tag,
      { key: at },
      ...(tag === 'p' && inner.length === 0 ? [<br key="line" />] : inner),
    )
  })
}

function imageOf(image: HTMLElement, key: number): ReactNode[] {
  const src = image.getAttribute('src') ?? ''
  return isImageAddress(src) ? [<img key={key} src={src} alt={image.getAttribute('alt') ?? ''} />] : []
}
