import { ActionIcon, Box, Button, Group, Image, Paper, Stack, Text, TextInput } from '@mantine/core'
import { IconPhotoPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { IMAGE_TYPES, thumbnailOf, uploadImage } from '../../api/upload-image.ts'
import { useTexts } from '../../texts/language.tsx'
import { useAction } from '../actions.tsx'
import { Sortable, useSortablePiece } from '../lists/sorting/sortable.tsx'
import { DropArea } from './drop-area.tsx'
import { imagesTexts } from './images-texts.ts'

const MAX_BYTES = 10 * 1024 * 1024
const IS_ADDRESS = /^https?:\/\/[^\s/]\S*$/i

/** A list of images by address. Dropped files are uploaded and become addresses. The first image represents the record. */
export function ImagesField(props: {
  images: string[]
  disabled: boolean
  error: string | undefined
  onChange: (change: (before: string[]) => string[]) => void
}) {
  const texts = useTexts(imagesTexts)
  const { images, disabled, onChange } = props
  const [progress, setProgress] = useState({ done: 0, all: 0 })
  const [refused, setRefused] = useState('')
  const uploading = useAction({
    stale: [],
    run: async (files: File[]) => {
      // One at a time, so that uploaded images stay even if a later one is refused.
      for (const [at, file] of files.entries()) {
        setProgress({ done: at, all: files.length })
        const url = await uploadImage(file)
        onChange((before) => (before.includes(url) ? before : [...before, url]))
      }
    },
  })
  return (
    <Stack gap="sm">
      {images.length > 0 && (
        <Sortable
          ids={images}
          onMove={(from, to) =>
            onChange((before) => before.toSpliced(from, 1).toSpliced(to, 0, before[from]!))
          }
        >
          <Group gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
            {images.map((address, at) => (
              <SortableImage
                key={address}
                address={address}
                place={at + 1}
                disabled={disabled}
                onRemove={() => onChange((before) => before.filter((other) => other !== address))}
              />
            ))}
          </Group>
        </Sortable>
      )}
      {!disabled && (
        <>
          <DropArea
            label={texts.drop}
            accept={IMAGE_TYPES}
            maxBytes={MAX_BYTES}
            isMultiple
            isBusy={uploading.isPending}
            minHeight={106}
            onFiles={(files, others) => {
              setRefused(others.map(({ name }) => name).join(', '))
              if (files.length > 0) uploading.mutate(files)
            }}
          >
            <IconPhotoPlus size={28} aria-hidden />
            <div>
              <Text>
                {uploading.isPending ? texts.uploading(progress.done + 1, progress.all) : texts.drop}
              </Text>
              <Text size="sm" c="dimmed">
                {texts.dropHint}
              </Text>
            </div>
          </DropArea>
          {(refused !== '' || props.error !== undefined) && (
            <Text size="sm" c="red" role="alert">
              {props.error ?? texts.notAnImage(refused)}
            </Text>
          )}
          <AddressField
            isRefused={props.error !== undefined}
            onAdd={(address) =>
              onChange((before) => (before.includes(address) ? before : [...before, address]))
            }
          />
        </>
      )}
    </Stack>
  )
}

function SortableImage(props: { address: string; place: number; disabled: boolean; onRemove: () => void }) {
  const texts = useTexts(imagesTexts)
  const { address, place, disabled, onRemove } = props
  const { ref, className, grip } = useSortablePiece(address)
  return (
    <Paper ref={ref} withBorder p={4} component="li" className={className}>
      <Image src={thumbnailOf(address)} alt={texts.image(place)} w={96} h={96} fit="cover" radius="sm" />
      {!disabled && (
        <Group justify="space-between" mt={4}>
          {grip(texts.moveImage(place), 'sm')}
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={texts.removeImage(place)}
            onClick={onRemove}
          >
            <IconX size={14} />
          </ActionIcon>
        </Group>
      )}
    </Paper>
  )
}

function AddressField({ isRefused, onAdd }: { isRefused: boolean; onAdd: (address: string) => void }) {
  const texts = useTexts(imagesTexts)
  const [text, setText] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  function add() {
    const address = text.trim()
    if (address === '') return
    if (!IS_ADDRESS.test(address)) return setIsWrong(true)
    onAdd(address)
    setText('')
  }
  return (
    <TextInput
      type="url"
      label={texts.imageAddress}
      placeholder="https://"
      error={isWrong ? texts.noAddress : isRefused}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        setIsWrong(false)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        add()
      }}
      inputContainer={(input) => (
        <Group gap="xs">
          <Box flex={1}>{input}</Box>
          <Button variant="default" onClick={add}>
            {texts.addAddress}
          </Button>
        </Group>
      )}
    />
  )
}
