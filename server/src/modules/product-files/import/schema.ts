import { Type } from 'typebox'
import { placeFields } from '../../../http/list-place.ts'
import { brokenRule, pageMeta, paging, queryId } from '../../../http/validation/fields.ts'
import { literals } from '../../../http/validation/validate.ts'
import { MODES } from './rules.ts'

export const importQuery = Type.Object({
  dryRun: Type.Boolean({ default: false, description: 'Checks only; nothing is written' }),
  mode: literals(MODES, {
    default: 'all-or-nothing',
    description: '`each-row`: products without errors are written, the others are reported',
  }),
  warehouseId: Type.Optional(
    queryId("Where the column `openingStock` is booked. Default: the shop's default warehouse"),
  ),
})

export const importsQuery = Type.Object({
  ...paging(10, 50, 10_000),
  ...placeFields,
})

const importRecord = {
  _id: Type.String(),
  id: Type.String(),
  status: literals(['pending', 'checking', 'writing', 'done', 'failed', 'cancelled'], {
    description: 'The last three are final. `failed`: the whole file failed; see `reason`',
  }),
  format: literals(['csv', 'ndjson']),
  mode: literals(MODES),
  dryRun: Type.Boolean(),
  total: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'Products in the file; null until the file has been read. The counts below count products too',
  }),
  done: Type.Integer(),
  created: Type.Integer({ description: 'In a check or dry run: would be created' }),
  updated: Type.Integer(),
  unchanged: Type.Integer({ description: 'Already as in the file' }),
  failed: Type.Integer(),
  stocked: Type.Integer({
    description: 'SKUs whose opening stock is booked; in a check or dry run: would be',
  }),
  stockKept: Type.Integer({
    description:
      'SKUs with an opening stock in the file that have stock or movements in the warehouse: their stock stays',
  }),
  errorCount: Type.Integer(),
  reason: Type.Union([Type.String(), Type.Null()]),
  createdAt: Type.String(),
  updatedAt: Type.String(),
  finishedAt: Type.Union([Type.String(), Type.Null()]),
}

export const importAnswer = Type.Object({ data: Type.Object(importRecord) })

export const importWithErrors = Type.Object({
  data: Type.Object({
    ...importRecord,
    errors: Type.Array(
      Type.Object({
        line: Type.Integer({ description: 'Line in the file; the header is 1' }),
        column: Type.String({ description: 'Empty when the error concerns the whole line' }),
        message: Type.String(),
        ...brokenRule,
      }),
      { description: 'The first 1,000 errors' },
    ),
  }),
})

export const importsAnswer = Type.Object({
  data: Type.Array(Type.Object(importRecord)),
  meta: pageMeta,
})
