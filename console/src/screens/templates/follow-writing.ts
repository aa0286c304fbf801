import { type RefObject, useEffect, useRef } from 'react'

/** What is left between the part that is written and the edge. */
const EDGE_PX = 24

/**
 * A ref of an element that scrolls to where one part of its content is changed: by itself, without the page. If several parts
 * change, as when another message takes the place of this one, it stays where it is.
 */
export function useFollowWriting(): RefObject<HTMLElement | null> {
  const ref = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = ref.current
    const content = element?.firstElementChild
    if (!element || !content) return
    const observer = new MutationObserver((changes) => {
      const changed = changes
        .flatMap(({ target, addedNodes }) => (target === content ? [...addedNodes] : [target]))
        .filter((node) => content.contains(node))
      const parts = new Set(changed.map((node) => [...content.children].find((part) => part.contains(node))))
      if (parts.size === 1) show(element, changed.at(-1)!)
    })
    observer.observe(content, { characterData: true, childList: true, subtree: true })
    return () => observer.disconnect()
  }, [])
  return ref
}

function show(element: HTMLElement, node: Node): void {
  const range = document.createRange()
  range.selectNode(node)
  const [its, own] = [range.getBoundingClientRect(), element.getBoundingClientRect()]
  const below = its.bottom + EDGE_PX - own.bottom
  const above = its.top - EDGE_PX - own.top
  if (below > 0) element.scrollTop += below
  else if (above < 0) element.scrollTop += above
}
