import { catalogue } from '../../../texts/catalogue.ts'
import type { Group } from './variant-rows.ts'

export const groupTexts = catalogue(
  { unnamed: 'Hãy đặt tên nhóm', noOptions: 'Hãy thêm lựa chọn, hoặc bỏ nhóm này' },
  { unnamed: 'Name the group', noOptions: 'Add an option, or remove the group' },
)

/** What unfinished groups lack, by the field's key, as the service names fields. */
export function unfinishedGroups(
  groups: readonly Group[],
  texts: { unnamed: string; noOptions: string },
): Record<string, string> {
  const problems = groups.flatMap(({ name, options }, at) => [
    ...(name.trim() === '' ? [[`variants.${at}.name`, texts.unnamed]] : []),
    ...(options.length === 0 ? [[`variants.${at}.options`, texts.noOptions]] : []),
  ])
  return Object.fromEntries(problems)
}
