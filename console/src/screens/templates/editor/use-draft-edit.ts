import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { useEdit } from '../../../components/edits/use-edit.ts'
import { useTexts } from '../../../texts/language.tsx'
import { templateTexts } from '../texts.ts'
import { type Block, type Draft, draftOf, type Template } from './draft.ts'
import { editorTexts } from './texts.ts'

/** Saves a stored template's draft only as it was loaded (G-71). */
export function useDraftEdit(template: Template | undefined, put: (values: Draft, isSaved: boolean) => void) {
  const texts = useTexts(editorTexts)
  const words = useTexts(templateTexts)
  return useEdit({
    name: 'template',
    record: template,
    valuesOf: draftOf,
    async read() {
      const params = { path: { id: template!._id } }
      return (await dataOf(api.GET('/api/external/notify-template/{id}', { params }))).data
    },
    put,
    labels: {
      ...texts,
      oaId: words.account,
      tag: words.tag,
      templateType: words.type,
      imageType: texts.header,
      contentBlocks: texts.blocks,
    },
    show: {
      tag: (tag) => words.tags[tag],
      templateType: (type) => words.types[type],
      imageType: (type) => (type === 'logo' ? texts.logo : texts.images),
      images: (images) => images.map(({ url }) => url).join('\n'),
      contentBlocks: (blocks) =>
        blocks.map((block) => `${texts.blockTypes[block.type]}: ${textOf(block)}`).join('\n'),
      buttons: (buttons) => buttons.map(({ label, value }) => `${label}: ${value}`).join('\n'),
      params: (params) => params.map(({ key, label }) => `${key}: ${label}`).join('\n'),
    },
    essence: { images: withoutIds, contentBlocks: withoutIds, buttons: withoutIds },
  })
}

function textOf({ type, value, rows, voucher, rating }: Block): string {
  if (type === 'paragraph') return value
  if (type === 'table') return rows.map((row) => `${row.label} ${row.key}`).join('; ')
  if (type === 'voucher') return Object.values(voucher).join(' · ')
  return rating.items.map(({ title }) => title).join('; ')
}

/** The ids of rows are the form's own. */
function withoutIds(list: unknown): string {
  return JSON.stringify(list, (key, value) => (key === 'id' ? undefined : value))
}
