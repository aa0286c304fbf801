import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Waiting } from './page.tsx'

/** How far below the window content is already rendered. */
const AHEAD = '200px'

/** Renders its content when it comes into view, so that its data is not loaded before. */
export function WhenSeen({ minHeight, children }: { minHeight: number; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (isSeen || place.current === null) return
    const watch = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
      },
      { rootMargin: AHEAD },
    )
    watch.observe(place.current)
    return () => watch.disconnect()
  }, [isSeen])
  return (
    <div ref={place} style={{ minHeight: isSeen ? undefined : minHeight }}>
      {isSeen && <Suspense fallback={<Waiting />}>{children}</Suspense>}
    </div>
  )
}
