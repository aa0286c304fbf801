import { IconPhoto } from '@tabler/icons-react'
import { useState } from 'react'
import { thumbnailOf } from '../api/upload-image.ts'
import classes from './thumbnail.module.css'

/**
 * An image in a list; an icon if there is none or it cannot be loaded. An image that we store is fetched at 96 pixels, whatever
 * its uploaded size. `size` is in CSS pixels.
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
