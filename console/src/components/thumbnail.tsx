import { IconPhoto } from '@tabler/icons-react'
import { useState } from 'react'
import { thumbnailOf } from '../api/upload-image.ts'
import classes from './thumbnail.module.css'

/**
 * An image in a list: one of ours comes in 96 pixels, whatever it was uploaded in; without one, or where it cannot be shown, a
 * sign of one. `size` in pixels of the page.
 */
export function Thumbnail({ address, size = 38 }: { address: string | undefined; size?: number }) {
  const [failed, setFailed] = useState<string>()
  return (
    <span className={classes.frame} style={{ width: size, height: size }}>
      {address === undefined || address === failed ? (
        <IconPhoto size={18} aria-hidden />
      ) : (
        <img
          className={classes.image}
          src={thumbnailOf(address)}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setFailed(address)}
        />
      )}
    </span>
  )
}
