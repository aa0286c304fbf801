import { Avatar } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { thumbnailOf } from '../api/upload-image.ts'

/** An image in a list. A stored image is loaded in 96 pixels, whatever size was uploaded. `size` is in CSS pixels. */
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
