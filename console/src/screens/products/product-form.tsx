import { Button, Grid, Group, NumberInput, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useAction } from '../../components/actions.tsx'
import { MoneyInput } from '../../components/money-input.tsx'
import { Card, ProblemNote } from '../../components/page.tsx'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { ImagesField } from './images-field.tsx'
import { categoriesQuery, categoryChoices, type Product } from './product-queries.ts'
import { productTexts } from './texts.ts'

const valuesOf = (product: Product | undefined) => ({
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

/** The service's body; what is not there is left out, as it cannot be taken away again. */
const bodyOf = ({ isActive, categoryId, originPrice, price, ...rest }: Values) => ({
  ...rest,
  price: price ?? 0,
  status: isActive ? ('active' as const) : ('inactive' as const),
  ...(categoryId === null ? {} : { categoryId }),
  ...(originPrice === null ? {} : { originPrice }),
})

/** A new product, or the given one's own fields. What the service refuses stands at its field. */
export function ProductForm(props: { product: Product | undefined; onSaved: (id: string) => void }) {
  const texts = useTexts(productTexts)
  const { save, create } = useTexts(common)
  const { canWrite, shop } = useSession()
  const { product } = props
  const categories = useQuery(categoriesQuery)
  const form = useForm({ initialValues: valuesOf(product) })
  const saving = useAction({
    form,
    run: async (values: Values) => {
      if (product === undefined)
        return (await dataOf(api.POST('/api/external/v1/products', { body: bodyOf(values) }))).data._id
      const body = { ...bodyOf(values), shopId: shop!._id }
      await dataOf(
        api.PATCH('/api/external/v1/products/{id}', { params: { path: { id: product._id } }, body }),
      )
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
          <Group justify="flex-end">
            <Button type="submit" loading={saving.isPending}>
              {product === undefined ? create : save}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}
