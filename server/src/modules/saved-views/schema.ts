import { Type } from 'typebox'
import { literals, nameText } from '../../http/validation/validate.ts'
import { LISTS, MAX_VIEWS } from './rules.ts'

const savedView = Type.Object(
  {
    name: nameText(40),
    search: Type.Record(Type.String(), Type.String({ maxLength: 500 }), {
      maxProperties: 30,
      description: 'The list’s filters, search and order, as in its address in the console',
    }),
  },
  { additionalProperties: false },
)

export const savedViewsBody = Type.Object(
  { list: literals(LISTS), views: Type.Array(savedView, { maxItems: MAX_VIEWS }) },
  { additionalProperties: false },
)

const ofList = Type.Object({ list: literals(LISTS), views: Type.Array(savedView) })

export const listViewsAnswer = Type.Object({ data: ofList })
export const savedViewsAnswer = Type.Object({
  data: Type.Array(ofList, { description: 'Lists whose views were ever saved; `views` may be empty' }),
})
