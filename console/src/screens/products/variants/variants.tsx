import { ActionIcon, Alert, Button, Group as Row, Stack, Text, TextInput } from '@mantine/core'
import { IconBarcode, IconPlus, IconX } from '@tabler/icons-react'
import { memo, useState } from 'react'
import { MOST_VND } from '../../../components/forms/amount.ts'
import { WordsField } from '../../../components/forms/words-field.tsx'
import { Card } from '../../../components/page.tsx'
import type { CellChange } from '../../../components/sheet/cells.ts'
import { Sheet } from '../../../components/sheet/sheet.tsx'
import type { SheetColumn } from '../../../components/sheet/sheet-props.ts'
import { useSession } from '../../../shell/session.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { problemAt } from '../product/problem-at.ts'
import { productTexts } from '../texts.ts'
import { OptionPrice } from './option-price.tsx'
import { SkuImages } from './sku-images.tsx'
import { useBarcodes } from './use-barcodes.ts'
import {
  countRows,
  type Group,
  MAX_SKUS,
  type Made,
  newId,
  optionsFrom,
  rowsIn,
  type SkuFields,
  type VariantRow,
  withFields,
} from './variant-rows.ts'

/** The groups of options, and the sheet with the SKUs of their combinations. */
export const Variants = memo(function Variants(props: {
  made: Made
  images: string[]
  /** The price of a combination until somebody sets another. */
  priceVnd: number
  problems: Record<string, unknown>
  onChange: (change: (before: Made) => Made) => void
}) {
  const texts = useTexts(productTexts)
  const { canWrite } = useSession()
  const { made, priceVnd, onChange } = props
  const { groups } = made
  const [added, setAdded] = useState<string>()
  const rows = rowsIn(made, priceVnd)
  const problem = (key: string) => problemAt(props.problems, key)
  const setGroup = (id: string, change: Partial<Group>) =>
    onChange((before) => ({
      ...before,
      groups: before.groups.map((group) => (group.id === id ? { ...group, ...change } : group)),
    }))
  const setRows = (changes: Map<string, Partial<SkuFields>>) =>
    onChange((before) => withFields(before, changes, priceVnd))

  return (
    <Card title={texts.variants} term="variant">
      <Stack>
        <Text size="sm" c="dimmed">
          {groups.length === 0 ? `${texts.single} ${texts.variantsHint}` : texts.variantsHint}
        </Text>
        {groups.map((group, at) => (
          <Row
            key={group.id}
            align="flex-start"
            gap="sm"
            // Enter ends a word, which the field handles itself; it must not submit the form.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          >
            <TextInput
              label={texts.group}
              placeholder={texts.groupHint}
              w={180}
              autoFocus={group.id === added}
              disabled={!canWrite}
              value={group.name}
              error={problem(`variants.${at}.name`)}
              onChange={(event) => setGroup(group.id, { name: event.currentTarget.value })}
            />
            <WordsField
              label={texts.options}
              placeholder={texts.optionsHint}
              flex="1 1 240px"
              disabled={!canWrite}
              value={group.options.map(({ value }) => value)}
              error={problem(`variants.${at}.options`)}
              onChange={(words) => setGroup(group.id, { options: optionsFrom(words, group.options) })}
            />
            {canWrite && (
              <ActionIcon
                size={36}
                // Beside the fields, which are below their labels and may be above an error.
                mt={24}
                variant="subtle"
                color="gray"
                aria-label={texts.removeGroup(group.name)}
                onClick={() =>
                  onChange((before) => ({
                    ...before,
                    groups: before.groups.filter(({ id }) => id !== group.id),
                  }))
                }
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
            onClick={() => {
              const id = newId()
              setAdded(id)
              onChange((before) => ({ ...before, groups: [...before.groups, { id, name: '', options: [] }] }))
            }}
            style={{ alignSelf: 'flex-start' }}
          >
            {texts.addGroup}
          </Button>
        )}
        {countRows(groups) > MAX_SKUS && <Alert color="red">{texts.tooMany(countRows(groups))}</Alert>}
        {rows.length > 0 && canWrite && <OptionPrice groups={groups} rows={rows} onSet={setRows} />}
        {rows.length > 0 && (
          <SkuSheet
            rows={rows}
            images={props.images}
            disabled={!canWrite}
            problem={problem}
            onChange={setRows}
          />
        )}
      </Stack>
    </Card>
  )
})

function SkuSheet(props: {
  rows: VariantRow[]
  images: string[]
  disabled: boolean
  problem: (key: string) => string | undefined
  onChange: (changes: Map<string, Partial<SkuFields>>) => void
}) {
  const texts = useTexts(productTexts)
  const { rows, disabled, problem, onChange } = props
  const barcodes = useBarcodes()
  const bare = rows.filter(({ barcode }) => barcode === '')
  const columns: SheetColumn<VariantRow>[] = [
    {
      name: 'price',
      title: texts.price,
      most: MOST_VND,
      label: ({ name }) => texts.priceOf(name),
      value: ({ price }) => (price === null ? '' : String(price)),
    },
    {
      name: 'sku',
      title: texts.skuCode,
      label: ({ name }) => texts.skuOf(name),
      value: ({ sku }) => sku,
    },
    {
      name: 'barcode',
      title: texts.barcode,
      label: ({ name }) => texts.barcodeOf(name),
      value: ({ barcode }) => barcode,
    },
  ]
  return (
    <Sheet
      rows={rows}
      keyOf={({ key }) => key}
      disabled={disabled}
      texts={{ hint: texts.sheetHint, fillDown: texts.fillDown, fillDownHint: texts.fillDownHint }}
      columns={columns}
      before={[
        { title: texts.variant, cell: ({ name }) => name },
        {
          title: texts.images,
          cell: (row) => (
            <SkuImages
              name={row.name}
              offered={props.images}
              images={row.images}
              disabled={disabled}
              onChange={(images) => onChange(new Map([[row.key, { images }]]))}
            />
          ),
        },
      ]}
      errorAt={(at, column) => problem(`skus.${at}.${column}`)}
      onChange={(changes) => onChange(fieldsIn(changes))}
      actions={
        <Button
          size="xs"
          variant="default"
          leftSection={<IconBarcode size={14} aria-hidden />}
          disabled={bare.length === 0}
          loading={barcodes.isPending}
          onClick={async () => {
            const made = await barcodes.mutateAsync(bare.length)
            onChange(new Map(bare.map(({ key }, at) => [key, { barcode: made[at]! }])))
          }}
        >
          {texts.makeBarcodes}
        </Button>
      }
    />
  )
}

/** The fields of rows that changed cells set. */
function fieldsIn(changes: CellChange[]): Map<string, Partial<SkuFields>> {
  const fields = new Map<string, Partial<SkuFields>>()
  for (const { key, column, value } of changes) {
    const changed = column === 'price' ? (value === '' ? null : Number(value)) : value
    fields.set(key, { ...fields.get(key), [column]: changed })
  }
  return fields
}
