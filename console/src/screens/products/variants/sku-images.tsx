import { UnstyledButton } from '@mantine/core'
import { IconPhotoPlus } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { Thumbnail } from '../../../components/thumbnail.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { productTexts } from '../texts.ts'

const SkuImagesBox = lazy(async () => ({ default: (await import('./sku-images-box.tsx')).SkuImagesBox }))

/** Which of the product's images show a variant, the first chosen of them: a button, whose box is fetched when it is first pressed. */
export function SkuImages(props: {
  name: string
  offered: string[]
  images: string[]
  disabled: boolean
  onChange: (images: string[]) => void
}) {
  const texts = useTexts(productTexts)
  const [isAsked, setIsAsked] = useState(false)
  const { disabled, ...chosen } = props
  const face = props.images[0]
  const shown =
    face === undefined ? <IconPhotoPlus size={18} aria-hidden /> : <Thumbnail address={face} size={36} />
  if (disabled) return face === undefined ? null : shown
  const button = (
    <UnstyledButton
      aria-label={texts.imagesOf(props.name)}
      aria-haspopup="dialog"
      style={{ display: 'grid', placeItems: 'center', width: 36, height: 36 }}
      onClick={() => setIsAsked(true)}
    >
      {shown}
    </UnstyledButton>
  )
  if (!isAsked) return button
  return (
    <Suspense fallback={button}>
      <SkuImagesBox {...chosen} target={button} />
    </Suspense>
  )
}
