import { Checkbox, Group, Popover, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Thumbnail } from '../../../components/thumbnail.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { productTexts } from '../texts.ts'

/** The images to choose from, beside the `target` that opens them; open at first. */
export function SkuImagesBox(props: {
  name: string
  offered: string[]
  images: string[]
  target: ReactNode
  onChange: (images: string[]) => void
}) {
  const texts = useTexts(productTexts)
  const { name, images, offered, onChange } = props
  const all = [...offered, ...images.filter((address) => !offered.includes(address))]
  return (
    <Popover defaultOpened trapFocus withArrow position="bottom-start" shadow="md">
      <Popover.Target>{props.target}</Popover.Target>
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
