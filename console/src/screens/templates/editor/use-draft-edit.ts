import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { useEdit } from '../../../components/concurrent-edits/use-edit.ts'
import { useTexts } from '../../../texts/language.tsx'
import { templateTexts } from '../texts.ts'
import { draftOfUnfinished, type Unfinished } from '../unfinished/unfinished.ts'
import { type Block, type Draft, draftOf, type Template } from './draft.ts'
import { editorTexts } from './texts.ts'

/** The name under which the form's input is kept. */
export const FORM = 'template'
export type Stored = Template | Unfinished

export const isUnfinished = (stored: Stored): stored is Unfinished => 'content' in stored

/** Saves a draft, of a template or of an unfinished one, only if it is still as it was loaded (G-71). */
export function useDraftEdit(stored: Stored | undefined, put: (values: Draft, isSaved: boolean) => void) {
  const texts = useTexts(editorTexts)
  const words = useTexts(templateTexts)
  return useEdit({
    name: FORM,
    record: stored,
    valuesOf: (record: Stored) => (isUnfinished(record) ? draftOfUnfinished(record) : draftOf(record)),
    async read(): Promise<Stored> {
      const params = { path: { id: stored!._id } }
      if (isUnfinished(stored!))
        return (await dataOf(api.GET('/api/external/notify-template/unfinished/{id}', { params }))).data
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

/** The ids of rows exist only in the form, so they are not compared. */
function withoutIds(list: unknown): string {
  return JSON.stringify(list, (key, value) => (key === 'id' ? undefined : value))
}
