import { Button } from '@mantine/core'
import { IconBarcode } from '@tabler/icons-react'
import { MOST_VND } from '../../../components/forms/amount.ts'
import type { CellChange } from '../../../components/sheet/cells.ts'
import { Sheet } from '../../../components/sheet/sheet.tsx'
import type { SheetColumn } from '../../../components/sheet/sheet-props.ts'
import { useTexts } from '../../../texts/language.tsx'
import { productTexts } from '../texts.ts'
import { OptionPrice } from './option-price.tsx'
import { SkuImages } from './sku-images.tsx'
import { useBarcodes } from './use-barcodes.ts'
import type { Group, SkuFields, VariantRow } from './variant-rows.ts'

/** The SKUs of the combinations in a sheet, and a price for all that have an option. */
export function SkuSheet(props: {
  groups: Group[]
  rows: VariantRow[]
  images: string[]
  disabled: boolean
  problem: (key: string) => string | undefined
  onChange: (changes: Map<string, Partial<SkuFields>>) => void
}) {
  const texts = useTexts(productTexts)
  const { groups, rows, disabled, problem, onChange } = props
  const bare = rows.filter(({ barcode }) => barcode === '')
  // Those that were scanned or typed meanwhile stay.
  const barcodes = useBarcodes((made) =>
    onChange(
      new Map(
        bare
          .slice(0, made.length)
          .map(({ key }, at): [string, Partial<SkuFields>] => [key, { barcode: made[at]! }]),
      ),
    ),
  )
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
    <>
      {!disabled && <OptionPrice groups={groups} rows={rows} onSet={onChange} />}
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
            onClick={() => barcodes.mutate(bare.length)}
          >
            {texts.makeBarcodes}
          </Button>
        }
      />
    </>
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
