import type { Language } from '../../../texts/catalogue.ts'
import {
  type Draft,
  emptyDraft,
  newBlock,
  newButton,
  newRatingItem,
  newRow,
  usedKeys,
} from '../editor/draft.ts'
import { STARTER_PARAMS } from './starter-params.ts'
import { STARTER_KINDS, type StarterId, type StarterText } from './starter-text.ts'
import { STARTERS_EN } from './starters-en.ts'
import { STARTERS_VI } from './starters-vi.ts'

const TEXTS = { vi: STARTERS_VI, en: STARTERS_EN }

export const starterText = (id: StarterId, language: Language): StarterText => TEXTS[language][id]

/** The form of a new template that begins with the starter. Its parameters are declared with sample values. */
export function draftOfStarter(id: StarterId, language: Language, base: Partial<Draft>): Draft {
  const { name, note, title, blocks, buttons = [] } = starterText(id, language)
  const draft: Draft = {
    ...emptyDraft(''),
    ...base,
    ...STARTER_KINDS[id],
    name,
    note,
    title,
    imageType: 'logo',
    contentBlocks: blocks.map(blockOf),
    buttons: buttons.map((button) => ({ ...newButton(), ...button })),
  }
  const params = usedKeys(draft).map((key) => {
    const { techSetting, ...texts } = STARTER_PARAMS[key]!
    const [label, sampleValue] = texts[language]
    return { key, label, techSetting, sampleValue, rowType: 0, isFixed: false }
  })
  return { ...draft, params }
}

function blockOf(block: StarterText['blocks'][number]): Draft['contentBlocks'][number] {
  if (typeof block === 'string') return { ...newBlock('paragraph'), value: block }
  if ('rows' in block)
    return {
      ...newBlock('table'),
      rows: block.rows.map(([label, key]) => ({ ...newRow(), label, key })),
    }
  if ('offer' in block) {
    const empty = newBlock('voucher')
    return { ...empty, voucher: { ...empty.voucher, ...block.offer } }
  }
  const items = block.stars.map(([title, question, answers, thanks, description], index) => ({
    ...newRatingItem(5 - index),
    title,
    question,
    answers,
    thanks,
    description,
  }))
  return { ...newBlock('rating'), rating: { items } }
}
