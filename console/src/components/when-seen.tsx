import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Waiting } from './page.tsx'

/** How far below the window something may be to be drawn already. */
const AHEAD = '200px'

/** Draws its content once it comes into sight: what is loaded for it is not loaded before. */
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
