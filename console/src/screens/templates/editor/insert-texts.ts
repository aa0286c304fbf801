import { catalogue } from '../../../texts/catalogue.ts'

export const insertTexts = catalogue(
  {
    insertInto: (field: string) => `Chèn tham số: ${field}`,
    newParam: 'Tham số mới…',
    paramName: 'Tên tham số',
    paramNameHint: 'Ví dụ: Ngày giao hàng',
    written: (key: string) => `Trong tin: <${key}>`,
    insert: 'Chèn',
  },
  {
    insertInto: (field: string) => `Insert a parameter: ${field}`,
    newParam: 'New parameter…',
    paramName: 'Parameter name',
    paramNameHint: 'For example: Delivery date',
    written: (key: string) => `In the message: <${key}>`,
    insert: 'Insert',
  },
)
