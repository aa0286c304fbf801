import { ActionIcon, Button, Group, SegmentedControl, SimpleGrid, Stack } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { ImageAddress } from '../../../../components/forms/image-address.tsx'
import { Card } from '../../../../components/page.tsx'
import { common } from '../../../../texts/common.ts'
import { useTexts } from '../../../../texts/language.tsx'
import { ListProblems, useEditor, useField } from '../context.tsx'
import { type Draft, newImage } from '../draft.ts'
import { editorTexts } from '../texts.ts'

/** Two logos, or images, each by address or as a file dropped on the field. */
export function HeaderFields() {
  const texts = useTexts(editorTexts)
  const { form } = useEditor()
  const { imageType, images } = form.values
  const logoLight = useField('logoLight')
  const logoDark = useField('logoDark')
  return (
    <Card title={texts.header}>
      <Stack>
        <SegmentedControl
          aria-label={texts.header}
          value={imageType}
          onChange={(value) => form.setFieldValue('imageType', value as Draft['imageType'])}
          data={[
            { value: 'logo', label: texts.logo },
            { value: 'image', label: texts.images },
          ]}
        />
        <ListProblems path="imageType" />
        {imageType === 'logo' ? (
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <ImageAddress label={texts.logoLight} {...logoLight} />
            <ImageAddress label={texts.logoDark} {...logoDark} />
          </SimpleGrid>
        ) : (
          <>
            {images.map(({ id }, index) => (
              <ImageRow key={id} index={index} />
            ))}
            <ListProblems path="images" />
            <Group>
              <Button
                variant="default"
                size="xs"
                leftSection={<IconPlus size={14} />}
                onClick={() => form.insertListItem('images', newImage())}
              >
                {texts.addImage}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Card>
  )
}

function ImageRow({ index }: { index: number }) {
  const texts = useTexts(editorTexts)
  const words = useTexts(common)
  const { form } = useEditor()
  const label = texts.image(index + 1)
  return (
    <Group align="flex-end" wrap="nowrap">
      <ImageAddress
        label={label}
        flex={1}
        {...useField(`images.${index}.url`, undefined, `images.${index}`)}
      />
      <ActionIcon
        variant="subtle"
        color="red"
        size="lg"
        aria-label={`${words.delete}: ${label}`}
        onClick={() => form.removeListItem('images', index)}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </Group>
  )
}
