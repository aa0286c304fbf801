import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fieldName } from '../src/texts/field-name.ts'

describe('a field that the API refuses', () => {
  it.each([
    ['skus.5.barcode', 'Mã vạch của phiên bản 6'],
    ['subItemsGroups.0.subItems.1.name', 'Tên của món 2 của nhóm món thêm 1'],
    ['images.0', 'Ảnh 1'],
    ['price', 'Giá'],
    ['params.customer_name', 'customer_name'],
    ['contentBlocks.0.rows.1.label', 'Nhãn của dòng 2 của khối 1'],
    ['contentBlocks.0.rows.1.value', 'Giá trị của dòng 2 của khối 1'],
    ['contentBlocks.0.value', 'Nội dung của khối 1'],
    ['contentBlocks.0.voucher.title', 'Tên ưu đãi của khối 1'],
    ['contentBlocks.0.rating.items.2.title', 'Tiêu đề của mục đánh giá 3 của khối 1'],
    ['cta.0.value', 'Đích của nút 1'],
    ['cta.0.label', 'Chữ của nút 1'],
    ['variants.0.options.2.value', 'Tên của lựa chọn 3 của nhóm lựa chọn 1'],
    ['items.4.unitCost', 'Giá nhập của dòng 5'],
  ])('%s is called %s', (path, name) => {
    expect(fieldName(path, 'vi')).toBe(name)
  })

  it.each(['somethingNew', 'blocks.0.name', ''])('"%s" has no name of the screens', (path) => {
    expect(fieldName(path, 'vi')).toBeUndefined()
  })

  it.each(['vi', 'en'] as const)('has a name in %s wherever a screen sends it', (language) => {
    const unnamed = sentFields()
      .filter((path) => !NEVER_TYPED.test(path))
      .filter((path) => fieldName(path, language) === undefined)
    expect(unnamed).toEqual([])
  })
})

/** Fields that the console itself fills in. */
const NEVER_TYPED =
  /(^|\.)(_id|id|shopId|after|dryRun|expected|feesBefore|isPaid|isSample|isTest|list|messagesBefore|overwrite|recipientsBefore|state)$|Fixed$|CustomParams$|^enabled$|^eventId$/

type Schema = {
  $ref?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
}

/** The paths of the fields, such as `items.0.unitCost`, in the body of every request that a screen sends. */
function sentFields(): string[] {
  const root = join(import.meta.dirname, '..')
  const document = JSON.parse(readFileSync(join(root, '../docs/openapi.json'), 'utf8'))
  const resolved = (schema: Schema): Schema =>
    schema.$ref === undefined
      ? schema
      : resolved(
          schema.$ref
            .split('/')
            .slice(1)
            .reduce((at, name) => at[name], document),
        )
  const fieldsOf = (given: Schema, at: string): string[] => {
    const schema = resolved(given)
    const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
      at + name,
      ...fieldsOf(field, `${at}${name}.`),
    ])
    const parts = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap((part) => fieldsOf(part, at))
    return [...own, ...parts, ...(schema.items === undefined ? [] : fieldsOf(schema.items, `${at}0.`))]
  }
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(join(root, 'src', file), 'utf8'))
  const calls = sources.flatMap((text) => {
    const paths = new Map(
      [...text.matchAll(/const (\w+) = '(\/api[^']+)'/g)].map(([, name, path]) => [name, path]),
    )
    return [...text.matchAll(/api\.(POST|PATCH|PUT)\(\s*(?:'([^']+)'|(\w+))/g)].map(
      ([, method, path, name]) => ({
        method: method!.toLowerCase(),
        path: path ?? paths.get(name!),
      }),
    )
  })
  expect(calls.length).toBeGreaterThan(60)
  const bodies = calls.map(({ method, path }) => document.paths[path!]?.[method]?.requestBody)
  const all = bodies.flatMap((body) => fieldsOf(body?.content?.['application/json']?.schema ?? {}, ''))
  return [...new Set(all)].sort()
}
