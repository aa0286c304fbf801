import { Checkbox, Group, Popover, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconPhotoPlus } from '@tabler/icons-react'
import { Thumbnail } from '../../../components/thumbnail.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { productTexts } from '../texts.ts'

/** Chooses which of the product's images show a variant. The first chosen image represents it. */
export function SkuImages(props: {
  name: string
  offered: string[]
  images: string[]
  disabled: boolean
  onChange: (images: string[]) => void
}) {
  const texts = useTexts(productTexts)
  const { name, images, offered, onChange } = props
  const all = [...offered, ...images.filter((address) => !offered.includes(address))]
  const face = images[0]
  const shown =
    face === undefined ? <IconPhotoPlus size={18} aria-hidden /> : <Thumbnail address={face} size={36} />
  if (props.disabled) return face === undefined ? null : shown
  return (
    <Popover trapFocus withArrow position="bottom-start" shadow="md">
      <Popover.Target>
        <UnstyledButton
          aria-label={texts.imagesOf(name)}
          style={{ display: 'grid', placeItems: 'center', width: 36, height: 36 }}
        >
          {shown}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.chooseImages(name)}>
        {all.length === 0 ? (
          <Text size="sm">{texts.noImages}</Text>
        ) : (
          <Stack gap="xs">
            <Text size="sm" fw={500}>
              {texts.imagesOf(name)}
            </Text>
            <Group gap="xs" maw={320}>
              {all.map((address, at) => (
                <Checkbox.Card
                  key={address}
                  p={4}
                  w="auto"
                  aria-label={texts.image(at + 1)}
                  checked={images.includes(address)}
                  onChange={(isChosen) =>
                    onChange(isChosen ? [...images, address] : images.filter((other) => other !== address))
                  }
                >
                  <Stack gap={4} align="center">
                    <Thumbnail address={address} size={64} />
                    <Checkbox.Indicator size="xs" />
                  </Stack>
                </Checkbox.Card>
              ))}
            </Group>
          </Stack>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
