import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { queryClient } from '../../../api/query.ts'
import { useAction } from '../../../components/actions.tsx'
import { useSentOnce } from '../../../components/forms/sent-once.ts'
import { formatNumber } from '../../../format.ts'
import { useSession } from '../../../shell/session.tsx'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { categoriesQuery } from '../product-queries.ts'
import { missingCategories, type NewCategory } from './category-cells.ts'
import type { ImportError } from './import-progress.tsx'
import { importTexts } from './import-texts.ts'

const SHOWN = 10

type Body = { name: string; parentId: string | null }

/** Offers to create the categories that the file names and the shop does not have; `onCreated` checks the file again. */
export function MissingCategories({ errors, onCreated }: { errors: ImportError[]; onCreated: () => void }) {
  const texts = useTexts(importTexts)
  const { language } = useLanguage()
  const cells = errors.flatMap(({ column, rule, values }) =>
    column === 'category' && rule === 'shop.unknown' && values?.value !== undefined
      ? [String(values.value)]
      : [],
  )
  const categories = useQuery({ ...categoriesQuery, enabled: cells.length > 0 })
  const { send } = useSentOnce<Body>(`missing category ${useSession().shop?._id}`)
  const creating = useAction({
    run: (all: NewCategory[]) =>
      createAll(all, send).catch(async (error) => {
        // Those before the refused one exist, and would be created again.
        await queryClient.invalidateQueries(categoriesQuery)
        throw error
      }),
    stale: [['categories']],
    onDone: onCreated,
  })
  const missing = categories.data === undefined ? [] : missingCategories(cells, categories.data)
  if (missing.length === 0) return null
  const count = formatNumber(missing.length, language)
  const more = missing.length - SHOWN
  return (
    <Alert color="blue" title={texts.missingCategories(count)}>
      <Stack gap="sm">
        <Text size="sm">
          {[
            ...missing.slice(0, SHOWN).map(({ path }) => path),
            ...(more > 0 ? [texts.moreCategories(formatNumber(more, language))] : []),
          ].join(' · ')}
        </Text>
        <Group>
          <Button variant="default" loading={creating.isPending} onClick={() => creating.mutate(missing)}>
            {texts.createCategories(count)}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}

/** Creates them one after the other, since a subcategory needs its parent's id. */
async function createAll(
  categories: NewCategory[],
  send: ReturnType<typeof useSentOnce<Body>>['send'],
): Promise<void> {
  const ids: string[] = []
  for (const { name, parent } of categories) {
    const parentId = parent === null ? null : 'id' in parent ? parent.id : ids[parent.at]!
    const body = { name, parentId }
    const { data } = await send(body, (headers) =>
      dataOf(api.POST('/api/external/v1/categories', { body, headers })),
    )
    ids.push(data._id)
  }
}
