import { FileButton } from '@mantine/core'
import { RichTextEditor } from '@mantine/tiptap'
import { IconPhotoPlus } from '@tabler/icons-react'
import type { Editor } from '@tiptap/react'
import { IMAGE_TYPES, uploadImage } from '../../api/upload-image.ts'
import { useTexts } from '../../texts/language.tsx'
import { useAction } from '../actions.tsx'
import { CHOOSE_AGAIN } from '../forms/choose-again.ts'
import { richTexts } from './texts.ts'

/** Uploads images and inserts them into the text one after the other, at the caret or where they were dropped. */
export function useTextImages() {
  return useAction({
    stale: [],
    run: async ({ editor, files, at }: { editor: Editor; files: File[]; at?: number | undefined }) => {
      let place = at ?? editor.state.selection.to
      for (const file of files) {
        const src = await uploadImage(file)
        const before = editor.state.doc.content.size
        editor
          .chain()
          .focus()
          .insertContentAt(Math.min(place, before), { type: 'image', attrs: { src, alt: '' } })
          .run()
        place += editor.state.doc.content.size - before
      }
    },
  })
}

/** The files of a paste or drop that the service accepts as images. */
export function imagesIn(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter(({ type }) => IMAGE_TYPES.split(',').includes(type))
}

export function ImageTool({ isBusy, onFiles }: { isBusy: boolean; onFiles: (files: File[]) => void }) {
  const texts = useTexts(richTexts)
  return (
    <FileButton accept={IMAGE_TYPES} multiple inputProps={CHOOSE_AGAIN} onChange={onFiles}>
      {(button) => (
        <RichTextEditor.Control {...button} disabled={isBusy} aria-label={texts.image} title={texts.image}>
          <IconPhotoPlus size={16} aria-hidden />
        </RichTextEditor.Control>
      )}
    </FileButton>
  )
}
