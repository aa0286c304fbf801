import { ActionIcon, Grid, Stack, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconBarcode } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { MoneyInput } from '../../../components/forms/money-input.tsx'
import { toNextField } from '../../../components/forms/next-field.ts'
import { PercentInput } from '../../../components/forms/percent-input.tsx'
import { Select } from '../../../components/forms/select/select.tsx'
import { Card } from '../../../components/page.tsx'
import { HtmlEditor } from '../../../components/rich-text/html-editor.tsx'
import { Explained } from '../../../help/whats-this.tsx'
import { useSession } from '../../../shell/session.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { categoriesQuery, categoryChoices } from '../product-queries.ts'
import { productTexts } from '../texts.ts'
import { useBarcodes } from '../variants/use-barcodes.ts'
import type { ProductFields } from './product-values.ts'

/** The choice that takes a product out of its category. */
const NONE = 'none'

/** The fields of every product: name, prices, codes, description. */
export function GeneralFields({ form }: { form: UseFormReturnType<ProductFields> }) {
  const texts = useTexts(productTexts)
  const { canWrite } = useSession()
  const categories = useQuery(categoriesQuery)
  const barcodes = useBarcodes(([made]) => {
    // One that was scanned or typed meanwhile stays.
    if (form.getValues().barcode === '') form.setFieldValue('barcode', made!)
  })
  const { categoryId } = form.values
  const none = { value: NONE, label: texts.noCategory }
  const field = (name: keyof ProductFields) => ({ disabled: !canWrite, ...form.getInputProps(name) })
  return (
    <Card title={texts.general}>
      <Stack>
        <TextInput label={texts.name} required maxLength={500} {...field('name')} />
        <Grid>
          <Grid.Col span={{ base: 12, sm: 4 }}>
            <MoneyInput label={texts.price} required {...field('price')} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, sm: 4 }}>
            <Explained term="compareAtPrice" of={texts.originPrice}>
              <MoneyInput label={texts.originPrice} {...field('originPrice')} />
            </Explained>
          </Grid.Col>
          <Grid.Col span={{ base: 12, sm: 4 }}>
            <Explained term="vat" of={texts.vat}>
              <PercentInput label={texts.vat} suffix="" min={0} max={100} {...field('vat')} />
            </Explained>
          </Grid.Col>
          <Grid.Col span={{ base: 12, sm: 4 }}>
            <Select
              label={texts.category}
              placeholder={texts.noCategory}
              searchable
              allowDeselect={false}
              data={[...(categoryId === null ? [] : [none]), ...categoryChoices(categories.data)]}
              {...field('categoryId')}
              onChange={(chosen) => form.setFieldValue('categoryId', chosen === NONE ? null : chosen)}
            />
          </Grid.Col>
          <Grid.Col span={{ base: 12, sm: 4 }}>
            <Explained term="skuCode" of={texts.itemSku}>
              <TextInput
                label={texts.itemSku}
                maxLength={200}
                {...field('itemSku')}
                onKeyDown={toNextField}
              />
            </Explained>
          </Grid.Col>
          <Grid.Col span={{ base: 12, sm: 4 }}>
            <TextInput
              label={texts.barcode}
              maxLength={200}
              {...field('barcode')}
              onKeyDown={toNextField}
              rightSection={
                canWrite &&
                form.values.barcode === '' && (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={texts.makeBarcode}
                    title={texts.makeBarcode}
                    loading={barcodes.isPending}
                    onClick={() => barcodes.mutate(1)}
                  >
                    <IconBarcode size={16} />
                  </ActionIcon>
                )
              }
            />
          </Grid.Col>
        </Grid>
        <HtmlEditor
          label={texts.description}
          minRows={5}
          value={form.values.description}
          error={form.errors.description}
          onChange={(html) => form.setFieldValue('description', html)}
        />
        <Switch
          label={texts.isActive}
          description={texts.isActiveHint}
          disabled={!canWrite}
          {...form.getInputProps('isActive', { type: 'checkbox' })}
        />
      </Stack>
    </Card>
  )
}
