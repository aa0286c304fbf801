import type { paths } from '@shopbell/client'
import { randomId } from '@shopbell/client'
import { keysIn, type TechSetting } from './params.ts'

export type Template =
  paths['/api/external/notify-template/{id}']['get']['responses'][200]['content']['application/json']['data']
export type TemplateBody =
  paths['/api/external/notify-template/create']['post']['requestBody']['content']['application/json']
export type Status = Template['status']
/** The content from which a message is rendered, from a request body or a record. */
export type Shown = Pick<
  TemplateBody,
  'title' | 'imageType' | 'logoLight' | 'logoDark' | 'images' | 'contentBlocks' | 'buttons'
> & { params: { key: string; label: string; sampleValue?: string; rowType?: number }[] }

type BlockType = TemplateBody['contentBlocks'][number]['type']
type ButtonType = TemplateBody['buttons'][number]['type']

/** The `id` of list entries identifies them while they are moved. Only a block's id is sent. */
export type Row = { id: string; label: string; key: string; rowType: number }
export type Voucher = {
  code: string
  title: string
  condition: string
  startDate: string
  expiryDate: string
}
type RatingItem = {
  id: string
  star: number
  title: string
  question: string
  answers: string[]
  thanks: string
  description: string
}
/** All fields exist for every type; only those of the chosen type are sent. */
export type Block = {
  id: string
  type: BlockType
  value: string
  rows: Row[]
  voucher: Voucher
  rating: { items: RatingItem[] }
}
export type Param = {
  key: string
  label: string
  techSetting: TechSetting | ''
  sampleValue: string
  rowType: number
  isFixed: boolean
}
/** The editor's form. */
export type Draft = {
  oaId: string
  name: string
  description: string
  title: string
  tag: TemplateBody['tag']
  templateType: TemplateBody['templateType']
  imageType: TemplateBody['imageType']
  logoLight: string
  logoDark: string
  images: { id: string; url: string }[]
  contentBlocks: Block[]
  buttons: { id: string; label: string; type: ButtonType; value: string }[]
  params: Param[]
  note: string
}

const newId = () => randomId()

export const newRow = (): Row => ({ id: newId(), label: '', key: '', rowType: 0 })
export const newImage = (url = '') => ({ id: newId(), url })
export const newButton = () => ({ id: newId(), label: '', type: '7' as const, value: '' })
export const newRatingItem = (star: number): RatingItem => ({
  id: newId(),
  star,
  title: '',
  question: '',
  answers: [],
  thanks: '',
  description: '',
})

export function newBlock(type: BlockType): Block {
  return {
    id: newId(),
    type,
    value: '',
    rows: type === 'table' ? [newRow(), newRow()] : [],
    voucher: { code: '<voucher_code>', title: '', condition: '', startDate: '', expiryDate: '' },
    rating: { items: type === 'rating' ? [5, 4, 3, 2, 1].map(newRatingItem) : [] },
  }
}

export function emptyDraft(oaId: string): Draft {
  return {
    oaId,
    name: '',
    description: '',
    title: '',
    tag: '1',
    templateType: 'custom',
    imageType: 'logo',
    logoLight: '',
    logoDark: '',
    images: [],
    contentBlocks: [newBlock('paragraph')],
    buttons: [],
    params: [],
    note: '',
  }
}

/** The form's values for a stored template. */
export function draftOf(template: Template): Draft {
  return {
    oaId: template.oaId,
    name: template.name,
    description: template.description ?? '',
    title: template.title,
    tag: template.tag,
    templateType: template.templateType,
    imageType: template.imageType,
    logoLight: template.logoLight ?? '',
    logoDark: template.logoDark ?? '',
    images: (template.images ?? []).map(newImage),
    contentBlocks: blocksOf(template).map((block) => {
      const empty = { ...newBlock(block.type), rows: [], rating: { items: [] } }
      return {
        ...empty,
        id: block.id,
        value: block.value ?? '',
        rows: (block.rows ?? []).map((row) => ({ ...newRow(), ...row })),
        voucher: { ...empty.voucher, ...block.voucher },
        rating: {
          items: (block.rating?.items ?? []).map((item) => ({ ...newRatingItem(item.star), ...item })),
        },
      }
    }),
    buttons: template.buttons.map((button) => ({
      ...newButton(),
      ...button,
      type: button.type as ButtonType,
    })),
    params: template.params.map(
      ({ key, label, techSetting = '', sampleValue = '', rowType = 0, isFixed = false }) => ({
        key,
        label,
        techSetting: techSetting as TechSetting | '',
        sampleValue,
        rowType,
        isFixed,
      }),
    ),
    note: template.note ?? '',
  }
}

/** A template's blocks. For the older format, they are made from its paragraphs and tables (G-19). */
function blocksOf(template: Template): TemplateBody['contentBlocks'] {
  if (template.contentBlocks !== undefined) return template.contentBlocks
  const rows = template.tables ?? []
  return [
    ...(template.paragraphs ?? []).map(({ value }, index) => ({
      id: `paragraph-${index}`,
      type: 'paragraph' as const,
      value,
    })),
    ...(rows.length === 0 ? [] : [{ id: 'table', type: 'table' as const, rows }]),
  ]
}

export function shownOf(template: Template): Shown {
  return { ...template, contentBlocks: blocksOf(template) } as Shown
}

/**
 * The request body from the form. The top-level voucher or rating is taken from the block, so that the two cannot
 * differ. Empty optional fields are left out.
 */
export function bodyOf(draft: Draft): TemplateBody {
  const special = draft.contentBlocks.find(({ type }) => type === draft.templateType)
  return {
    oaId: draft.oaId,
    name: draft.name,
    ...filled({ description: draft.description }),
    title: draft.title,
    tag: draft.tag,
    templateType: draft.templateType,
    imageType: draft.imageType,
    ...(draft.imageType === 'logo'
      ? filled({ logoLight: draft.logoLight, logoDark: draft.logoDark })
      : { images: draft.images.map(({ url }) => url) }),
    contentBlocks: draft.contentBlocks.map((block) => ({
      id: block.id,
      type: block.type,
      ...contentOf(block),
    })),
    buttons: draft.buttons.map(({ label, type, value }) => ({ label, type, value })),
    params: draft.params.map(({ techSetting, sampleValue, ...param }) => ({
      ...param,
      ...(techSetting === '' ? {} : { techSetting }),
      ...filled({ sampleValue }),
    })),
    ...(special === undefined ? {} : contentOf(special)),
    isCustomParams: true,
    ...filled({ note: draft.note }),
  }
}

function contentOf(block: Block) {
  switch (block.type) {
    case 'paragraph':
      return { value: block.value }
    case 'table':
      return { rows: block.rows.map(({ label, key, rowType }) => ({ label, key, rowType })) }
    case 'voucher': {
      const { startDate, ...voucher } = block.voucher
      return { voucher: { ...voucher, ...filled({ startDate }) } }
    }
    case 'rating':
      return {
        rating: {
          items: block.rating.items.map(({ id: _, thanks, description, ...item }) => ({
            ...item,
            ...filled({ thanks, description }),
          })),
        },
      }
  }
}

/** The fields without empty ones. */
function filled<T extends Record<string, string>>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== '')) as Partial<T>
}

/** The keys of the parameters that the draft's texts use. */
export function usedKeys(draft: Draft): string[] {
  return keysIn([
    draft.title,
    ...draft.contentBlocks.flatMap(textsIn),
    ...draft.buttons.flatMap(({ label, value }) => [label, value]),
  ])
}

/** All texts of a block that the customer sees; each may have parameters (G-13). */
function textsIn({ type, value, rows, voucher, rating }: Block): string[] {
  switch (type) {
    case 'paragraph':
      return [value]
    case 'table':
      return rows.flatMap(({ label, key }) => [label, key])
    case 'voucher':
      return Object.values(voucher)
    case 'rating':
      return rating.items.flatMap(({ title, question, answers, thanks, description }) => [
        title,
        question,
        ...answers,
        thanks,
        description,
      ])
  }
}
