import { mergeAttributes, Node } from '@tiptap/react'
import { isImageAddress } from './html-values.ts'

/** An image on the web within the text; of its attributes only the address and the words for it are kept. */
export const ImageNode = Node.create({
  name: 'image',
  group: 'block',
  draggable: true,
  addAttributes: () => ({ src: { default: null }, alt: { default: '' } }),
  parseHTML: () => [
    { tag: 'img[src]', getAttrs: (image) => isImageAddress(image.getAttribute('src') ?? '') && null },
  ],
  renderHTML: ({ HTMLAttributes }) => ['img', mergeAttributes(HTMLAttributes)],
})
