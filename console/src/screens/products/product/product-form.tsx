import { Button, Grid, NumberInput, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { useAction } from '../../../components/actions.tsx'
import { useEdit } from '../../../components/edits/use-edit.ts'
import { FormActions } from '../../../components/forms/form-actions.tsx'
import { ImagesField } from '../../../components/forms/images-field.tsx'
import { useKeptForm } from '../../../components/forms/kept-form.ts'
import { MoneyInput } from '../../../components/forms/money-input.tsx'
import { Card, ProblemNote } from '../../../components/page.tsx'
import { useSession } from '../../../shell/session.tsx'
import { common } from '../../../texts/common.ts'
import { useTexts } from '../../../texts/language.tsx'
import { categoriesQuery, categoryChoices, type Product, readProduct } from '../product-queries.ts'
import { productTexts } from '../texts.ts'

const valuesOf = (product: Edited | undefined) => ({
  name: product?.name ?? '',
  description: product?.description ?? '',
  price: (product?.price ?? null) as number | null,
  originPrice: (product?.originPrice ?? null) as number | null,
  vat: product?.vat ?? 0,
  categoryId: product?.categoryId ?? null,
  isActive: product?.status !== 'inactive',
  itemSku: product?.itemSku ?? '',
  barcode: product?.barcode ?? '',
  images: product?.images ?? [],
})
type Values = ReturnType<typeof valuesOf>

/** What the form shows of a product; the response to a change has no parts. */
type Edited = Pick<
  Product,
  | '__v'
  | 'name'
  | 'description'
  | 'price'
  | 'originPrice'
  | 'vat'
  | 'categoryId'
  | 'status'
  | 'itemSku'
  | 'barcode'
  | 'images'
>

/** The request body; empty optional fields are left out, since the service cannot clear them. */
const bodyOf = ({ isActive, categoryId, originPrice, price, ...rest }: Values) => ({
  ...rest,
  price: price ?? 0,
  status: isActive ? ('active' as const) : ('inactive' as const),
  ...(categoryId === null ? {} : { categoryId }),
  ...(originPrice === null ? {} : { originPrice }),
})

/** The form of a new product, or of the given one. Refusals appear at their fields. */
export function ProductForm(props: { product: Product | undefined; onSaved: (id: string) => void }) {
  const texts = useTexts(productTexts)
  const { save, create } = useTexts(common)
  const { canWrite, shop } = useSession()
  const { product } = props
  const categories = useQuery(categoriesQuery)
  const form = useKeptForm('product', valuesOf(product))
  const edit = useEdit({
    name: 'product',
    record: product,
    valuesOf,
    read: () => readProduct(product!._id),
    put: form.put,
    labels: { ...texts, categoryId: texts.category },
    show: { categoryId: (id) => categories.data?.find(({ _id }) => _id === id)?.name ?? '' },
  })
  const saving = useAction({
    form,
    run: async (values: Values) => {
      if (product === undefined)
        return (await dataOf(api.POST('/api/external/v1/products', { body: bodyOf(values) }))).data._id
      const params = { path: { id: product._id } }
      await edit.save(values, async (mine, headers) => {
        const body = { ...bodyOf(mine), shopId: shop!._id }
        return (await dataOf(api.PATCH('/api/external/v1/products/{id}', { params, body, headers }))).data
      })
      return product._id
    },
    stale: [['products']],
    done: product === undefined ? texts.created : texts.saved,
    quiet: true,
    onDone: props.onSaved,
  })
  const field = (name: keyof Values) => ({ disabled: !canWrite, ...form.getInputProps(name) })

  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))}>
      <Stack>
        {saving.error !== null && <ProblemNote error={saving.error} />}
        <Card title={texts.general}>
          <Stack>
            <TextInput label={texts.name} required maxLength={500} {...field('name')} />
            <Grid>
              <Grid.Col span={{ base: 12, sm: 4 }}>
                <MoneyInput label={texts.price} required {...field('price')} />
              </Grid.Col>
              <Grid.Col span={{ base: 12, sm: 4 }}>
                <MoneyInput label={texts.originPrice} {...field('originPrice')} />
              </Grid.Col>
              <Grid.Col span={{ base: 12, sm: 4 }}>
                <NumberInput
                  label={texts.vat}
                  min={0}
                  max={100}
                  decimalScale={2}
                  decimalSeparator=","
                  allowedDecimalSeparators={[',', '.']}
                  {...field('vat')}
                />
              </Grid.Col>
              <Grid.Col span={{ base: 12, sm: 4 }}>
                <Select
                  label={texts.category}
                  placeholder={texts.noCategory}
                  searchable
                  allowDeselect={false}
                  data={categoryChoices(categories.data)}
                  {...field('categoryId')}
                />
              </Grid.Col>
              <Grid.Col span={{ base: 12, sm: 4 }}>
                <TextInput label={texts.itemSku} maxLength={200} {...field('itemSku')} />
              </Grid.Col>
              <Grid.Col span={{ base: 12, sm: 4 }}>
                <TextInput label={texts.barcode} maxLength={200} {...field('barcode')} />
              </Grid.Col>
            </Grid>
            <Textarea
              label={texts.description}
              description={texts.descriptionHint}
              autosize
              minRows={3}
              maxRows={14}
              {...field('description')}
            />
            <Switch
              label={texts.isActive}
              description={texts.isActiveHint}
              disabled={!canWrite}
              {...form.getInputProps('isActive', { type: 'checkbox' })}
            />
          </Stack>
        </Card>
        <Card title={texts.images}>
          <ImagesField
            images={form.values.images}
            disabled={!canWrite}
            error={form.errors.images as string | undefined}
            onChange={(images) => form.setFieldValue('images', images)}
          />
        </Card>
        {canWrite && (
          <FormActions>
            <Button type="submit" loading={saving.isPending}>
              {product === undefined ? create : save}
            </Button>
          </FormActions>
        )}
      </Stack>
    </form>
  )
}
