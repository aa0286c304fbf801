import { Avatar } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { thumbnailOf } from '../api/upload-image.ts'

/** An image in a list: one of ours comes in 96 pixels, whatever it was uploaded in. `size` in pixels of the page. */
export function Thumbnail({ address, size = 38 }: { address: string | undefined; size?: number }) {
  return (
    <Avatar
      src={address === undefined ? null : thumbnailOf(address)}
      alt=""
      radius="sm"
      size={size}
      imageProps={{ loading: 'lazy', decoding: 'async' }}
    >
      <IconPhoto size={18} aria-hidden />
    </Avatar>
  )
}
