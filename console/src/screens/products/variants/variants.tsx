import { ActionIcon, Alert, Button, Group as Row, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { dataOf, Problem } from '../../../api/problem.ts'
import { useAction } from '../../../components/actions.tsx'
import { useEdit } from '../../../components/edits/use-edit.ts'
import { keptOf, useTyped } from '../../../components/forms/kept-form.ts'
import { MoneyInput } from '../../../components/forms/money-input.tsx'
import { type Column, DataTable } from '../../../components/lists/data-table.tsx'
import { Card, ProblemNote } from '../../../components/page.tsx'
import { formatVnd } from '../../../format.ts'
import { useSession } from '../../../shell/session.tsx'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { type Product, readProduct } from '../product-queries.ts'
import { productTexts } from '../texts.ts'
import {
  countRows,
  fieldsOf,
  type Group,
  groupsOf,
  MAX_SKUS,
  newId,
  optionsFrom,
  rowsOf,
  type SkuFields,
  type VariantRow,
  variantsBody,
} from './variant-rows.ts'

/** The groups of options and the matrix of SKUs; saved as a whole. */
export function Variants({ product }: { product: Product }) {
  const texts = useTexts(productTexts)
  const { canWrite } = useSession()
  const { language } = useLanguage()
  const [kept] = useState(() => keptOf<Made>('variants'))
  const [groups, setGroups] = useState(() => kept?.groups ?? groupsOf(product))
  const [fields, setFields] = useState(() => (kept ? new Map(kept.fields) : fieldsOf(product)))
  const typed = useTyped(
    'variants',
    { groups, fields: [...fields] },
    { groups: groupsOf(product), fields: [...fieldsOf(product)] },
  )
  const rows = rowsOf(groups, fields, product.price)
  const edit = useEdit({
    name: 'variants',
    record: product,
    valuesOf: (one: Varied) => ({ variants: { groups: groupsOf(one), fields: [...fieldsOf(one)] } }),
    read: () => readProduct(product._id),
    put: ({ variants }, isSaved) => {
      setGroups(variants.groups)
      setFields(new Map(variants.fields))
      if (isSaved) typed.saved(variants)
    },
    labels: texts,
    show: {
      variants: (made) =>
        rowsIn(made, product.price)
          .map(({ name, price, sku }) => `${name}: ${formatVnd(price ?? 0, language)} ${sku}`)
          .join('\n'),
    },
    essence: {
      variants: (made) =>
        rowsIn(made, product.price).map(({ name, price, sku, barcode }) => [name, price, sku, barcode]),
    },
  })
  const saving = useAction({
    form: typed,
    run: () =>
      edit.save({ variants: { groups, fields: [...fields] } }, async ({ variants }, headers) => {
        const params = { path: { id: product._id } }
        const body = variantsBody(variants.groups, rowsIn(variants, product.price))
        const call = api.PUT('/api/external/v1/products/{id}/variants', { params, body, headers })
        return (await dataOf(call)).data
      }),
    stale: [['products']],
    done: texts.variantsSaved,
    quiet: true,
  })
  // It would replace the product's only SKU.
  const isUnchangedSingle = groups.length === 0 && groupsOf(product).length === 0
  const problems = saving.error instanceof Problem ? saving.error.fields : {}
  const setGroup = (id: string, change: Partial<Group>) =>
    setGroups(groups.map((group) => (group.id === id ? { ...group, ...change } : group)))
  const setRow = ({ key, options: _, name: __, ...known }: VariantRow, change: Partial<SkuFields>) =>
    setFields(new Map(fields).set(key, { ...known, ...change }))

  return (
    <Card title={texts.variants}>
      <Stack>
        {saving.error !== null && <ProblemNote error={saving.error} />}
        <Text size="sm" c="dimmed">
          {groups.length === 0 ? `${texts.single} ${texts.variantsHint}` : texts.variantsHint}
        </Text>
        {groups.map((group, at) => (
          <Row key={group.id} align="flex-end" gap="sm">
            <TextInput
              label={texts.group}
              placeholder={texts.groupHint}
              w={180}
              disabled={!canWrite}
              value={group.name}
              error={problems[`variants.${at}.name`]}
              onChange={(event) => setGroup(group.id, { name: event.currentTarget.value })}
            />
            <TagsInput
              label={texts.options}
              placeholder={texts.optionsHint}
              flex="1 1 240px"
              disabled={!canWrite}
              value={group.options.map(({ value }) => value)}
              error={problems[`variants.${at}.options`]}
              onChange={(words) => setGroup(group.id, { options: optionsFrom(words, group.options) })}
            />
            {canWrite && (
              <ActionIcon
                size={36}
                variant="subtle"
                color="gray"
                aria-label={texts.removeGroup(group.name)}
                onClick={() => setGroups(groups.filter(({ id }) => id !== group.id))}
              >
                <IconX size={16} />
              </ActionIcon>
            )}
          </Row>
        ))}
        {canWrite && (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setGroups([...groups, { id: newId(), name: '', options: [] }])}
            style={{ alignSelf: 'flex-start' }}
          >
            {texts.addGroup}
          </Button>
        )}
        {countRows(groups) > MAX_SKUS && <Alert color="red">{texts.tooMany(countRows(groups))}</Alert>}
        {rows.length > 0 && <Matrix rows={rows} problems={problems} disabled={!canWrite} onChange={setRow} />}
        {canWrite && (
          <Row justify="flex-end">
            {rows.length > 1 && (
              <Button
                variant="subtle"
                onClick={() =>
                  setFields(new Map(rows.map((row) => [row.key, { ...row, price: rows[0]!.price }])))
                }
              >
                {texts.samePrice}
              </Button>
            )}
            <Button
              loading={saving.isPending}
              disabled={isUnchangedSingle || countRows(groups) > MAX_SKUS}
              onClick={() => saving.mutate(undefined)}
            >
              {texts.saveVariants}
            </Button>
          </Row>
        )}
      </Stack>
    </Card>
  )
}

type Varied = Pick<Product, '__v' | 'itemVariants' | 'skus'>
type Made = { groups: Group[]; fields: [string, SkuFields][] }

const rowsIn = ({ groups, fields }: Made, price: number) => rowsOf(groups, new Map(fields), price)

function Matrix(props: {
  rows: VariantRow[]
  problems: Record<string, string>
  disabled: boolean
  onChange: (row: VariantRow, change: Partial<SkuFields>) => void
}) {
  const texts = useTexts(productTexts)
  const { disabled, onChange, problems } = props
  const columns: Column<VariantRow>[] = [
    { title: texts.variant, cell: ({ name }) => name },
    {
      title: texts.price,
      cell: (row, at) => (
        <MoneyInput
          aria-label={texts.priceOf(row.name)}
          disabled={disabled}
          value={row.price}
          error={problems[`skus.${at}.price`]}
          onChange={(price) => onChange(row, { price })}
        />
      ),
    },
    {
      title: texts.skuCode,
      cell: (row, at) => (
        <TextInput
          aria-label={texts.skuOf(row.name)}
          disabled={disabled}
          value={row.sku}
          error={problems[`skus.${at}.sku`]}
          onChange={(event) => onChange(row, { sku: event.currentTarget.value })}
        />
      ),
    },
    {
      title: texts.barcode,
      cell: (row, at) => (
        <TextInput
          aria-label={texts.barcodeOf(row.name)}
          disabled={disabled}
          value={row.barcode}
          error={problems[`skus.${at}.barcode`]}
          onChange={(event) => onChange(row, { barcode: event.currentTarget.value })}
        />
      ),
    },
  ]
  return <DataTable columns={columns} rows={props.rows} keyOf={({ key }) => key} />
}
