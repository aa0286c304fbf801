import { FileButton, TextInput, type TextInputProps, UnstyledButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { IMAGE_TYPES, uploadImage } from '../../api/upload-image.ts'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { useAction } from '../actions.tsx'
import { CHOOSE_AGAIN } from './choose-again.ts'

/** A field for an image's address: typed, or that of a file dropped on the field or chosen with its button. */
export function ImageAddress(props: TextInputProps & { onChange?: (value: string) => void }) {
  const { onChange, ...rest } = props
  const texts = useTexts(common)
  const [isOver, setIsOver] = useState(false)
  const uploading = useAction({ run: uploadImage, stale: [], onDone: (address) => onChange?.(address) })
  return (
    <TextInput
      type="url"
      placeholder={texts.imageHint}
      {...rest}
      onChange={(event) => onChange?.(event.currentTarget.value)}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        setIsOver(false)
        const file = event.dataTransfer.files[0]
        if (file === undefined) return
        event.preventDefault()
        uploading.mutate(file)
      }}
      variant={isOver ? 'filled' : 'default'}
      disabled={rest.disabled || uploading.isPending}
      rightSection={
        <FileButton
          accept={IMAGE_TYPES}
          inputProps={CHOOSE_AGAIN}
          onChange={(file) => file !== null && uploading.mutate(file)}
        >
          {(button) => (
            <UnstyledButton
              {...button}
              aria-label={`${texts.upload}: ${rest.label}`}
              title={texts.upload}
              display="flex"
            >
              <IconUpload size={16} />
            </UnstyledButton>
          )}
        </FileButton>
      }
    />
  )
}
