import { Type } from 'typebox'
import { firstDay } from '../../../http/validation/fields.ts'

/** The most templates of a report. */
export const MAX_TEMPLATES = 50

export const reportQuery = Type.Object({
  from: firstDay,
  days: Type.Integer({ minimum: 1, maximum: 92, default: 30, description: 'Number of days' }),
})

const counts = {
  accepted: Type.Integer({ description: 'Messages that the platform accepted, on the day they were sent' }),
  delivered: Type.Integer({ description: 'Of these, those with a receipt' }),
  failed: Type.Integer(),
  spend: Type.Integer({ description: 'Fees of the accepted messages, in đồng' }),
}
const standing = {
  quality: Type.Union([Type.String(), Type.Null()], {
    description: 'The platform’s rating of the template’s quality, such as `HIGH`; null if it gave none',
  }),
  dailyQuota: Type.Union([Type.Integer(), Type.Null()], {
    description: 'How many messages of the template the platform accepts per day; null if it has not said so',
  }),
}

export const reportAnswer = Type.Object({
  data: Type.Object({
    from: Type.String({ description: 'The first day, `2026-11-01`, in the shop’s time zone' }),
    days: Type.Integer(),
    templates: Type.Array(
      Type.Object({
        _id: Type.String(),
        templateId: Type.Union([Type.String(), Type.Null()], { description: 'Its ID on the platform' }),
        name: Type.String(),
        total: Type.Object(counts),
        ...standing,
        days: Type.Array(Type.Object({ day: Type.String(), ...counts, ...standing }), {
          description: 'The days with any activity, oldest first',
        }),
      }),
      { description: `The ${MAX_TEMPLATES} with the most messages, in descending order` },
    ),
  }),
})
