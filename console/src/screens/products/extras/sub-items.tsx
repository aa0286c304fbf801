import { Stack, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { lazy, Suspense } from 'react'
import { Card } from '../../../components/page.tsx'
import { useSession } from '../../../shell/session.tsx'
import { useTexts } from '../../../texts/language.tsx'
import type { ProductFields } from '../product/product-values.ts'
import { AddButton } from './add-button.tsx'
import { freshGroup } from './item-groups.ts'
import { subItemTexts } from './sub-item-texts.ts'

// Few products have extras, so their fields are fetched for those that do.
const ItemGroupFields = lazy(async () => ({
  default: (await import('./item-group-fields.tsx')).ItemGroupFields,
}))

/** The extras that a customer may or must choose, in groups. */
export function SubItems({ form }: { form: UseFormReturnType<ProductFields> }) {
  const texts = useTexts(subItemTexts)
  const { canWrite } = useSession()
  const groups = form.values.subItemsGroups

  return (
    <Card title={texts.title}>
      <Stack>
        <Text size="sm" c="dimmed">
          {groups.length === 0 ? `${texts.none} ${texts.hint}` : texts.hint}
        </Text>
        {groups.length > 0 && (
          <Suspense>
            <ItemGroupFields form={form} />
          </Suspense>
        )}
        {canWrite && (
          <AddButton
            label={texts.addGroup}
            onClick={() => form.insertListItem('subItemsGroups', freshGroup())}
          />
        )}
      </Stack>
    </Card>
  )
}
