import { Button, Grid, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Article } from '../../api/rows.ts'
import { useAction } from '../../components/actions.tsx'
import { useEdit } from '../../components/edits/use-edit.ts'
import { FormActions } from '../../components/forms/form-actions.tsx'
import { ImagesField } from '../../components/forms/images-field.tsx'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { Card, ProblemNote } from '../../components/page.tsx'
import { HtmlEditor } from '../../components/rich-text/html-editor.tsx'
import { wordsOf } from '../../components/rich-text/html-values.ts'
import { formatNumber } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { Buttons } from './article-parts.tsx'
import { ArticlePreview } from './article-preview.tsx'
import { readArticle } from './article-query.ts'
import { type ArticleValues, valuesOf } from './article-values.ts'
import { RelatedProducts } from './related-products.tsx'
import { SearchPreview } from './search-preview.tsx'
import { newsTexts } from './texts.ts'

/** Attaches and detaches products, so that the article has those of the form (E15). */
async function relate(id: string, items: ArticleValues['items'], before: ArticleValues['items']) {
  const [wanted, attached] = [idsOf(items), idsOf(before)]
  const added = wanted.filter((item) => !attached.includes(item))
  const removed = attached.filter((item) => !wanted.includes(item))
  const params = { path: { id } }
  if (added.length > 0)
    await dataOf(api.POST('/api/external/news/{id}/items', { params, body: { newsIds: added } }))
  if (removed.length > 0)
    await dataOf(api.DELETE('/api/external/news/{id}/items', { params, body: { newsIds: removed } }))
}

const idsOf = (items: ArticleValues['items']) => items.map(({ _id }) => _id)

/** The form of a new article, or of the given one. Refusals appear at their fields, and the input stays. */
export function ArticleForm(props: { article: Article | undefined; onSaved: (id: string) => void }) {
  const { article, onSaved } = props
  const texts = useTexts(newsTexts)
  const words = useTexts(common)
  const { language } = useLanguage()
  const { canWrite } = useSession()
  const form = useKeptForm('article', valuesOf(article))
  const edit = useEdit({
    name: 'article',
    record: article,
    valuesOf,
    read: () => readArticle(id.current!),
    put: form.put,
    labels: {
      ...texts,
      title: texts.headline,
      status: words.status,
      cta: texts.buttons,
      items: texts.related,
    },
    show: {
      content: wordsOf,
      status: (status) => texts.statuses[status],
      items: (items) => items.map(({ name }) => name).join('\n'),
    },
    essence: { items: idsOf },
  })
  // Created by an attempt whose second half failed: the next attempt updates it.
  const id = useRef(article?._id)
  const saving = useAction({
    form,
    run: async (values: ArticleValues) => {
      return edit.save(values, async ({ items, ...body }, headers, base) => {
        const params = { path: { id: id.current ?? '' } }
        const call =
          id.current === undefined
            ? api.POST('/api/external/news', { body })
            : api.PUT('/api/external/news/{id}', { params, body, headers })
        id.current = (await dataOf(call)).data._id
        await relate(id.current, items, base?.items ?? [])
        return readArticle(id.current)
      })
    },
    stale: [['news']],
    done: texts.saved,
    quiet: true,
    onDone: (saved, values) => {
      form.setFieldValue('slug', saved.slug)
      form.saved({ ...values, slug: saved.slug })
      onSaved(saved._id)
    },
  })
  const submit = form.onSubmit((values) => saving.mutate(values))

  return (
    <form onSubmit={submit}>
      <Grid>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack>
            {saving.error !== null && <ProblemNote error={saving.error} />}
            <Card>
              <Stack>
                <TextInput
                  label={texts.headline}
                  required
                  disabled={!canWrite}
                  {...form.getInputProps('title')}
                />
                <HtmlEditor
                  label={texts.content}
                  required
                  value={form.values.content}
                  onChange={(html) => form.setFieldValue('content', html)}
                  error={form.errors.content}
                />
              </Stack>
            </Card>
            <Card title={texts.related}>
              <RelatedProducts
                products={form.values.items}
                onChange={(items) => form.setFieldValue('items', items)}
              />
            </Card>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack>
            <Card title={words.status} actions={<ArticlePreview values={form.values} />}>
              <SegmentedControl
                fullWidth
                disabled={!canWrite}
                aria-label={words.status}
                data={[
                  { value: 'active', label: texts.statuses.active },
                  { value: 'inactive', label: texts.statuses.inactive },
                ]}
                {...form.getInputProps('status')}
              />
            </Card>
            <Card title={texts.images}>
              <Stack gap="sm">
                <Text size="sm" c="dimmed">
                  {texts.imagesHint}
                </Text>
                <ImagesField
                  images={form.values.images}
                  disabled={!canWrite}
                  error={
                    Object.entries(form.errors).find(([name]) => name.startsWith('images'))?.[1] as string
                  }
                  onChange={(change) => form.setFieldValue('images', change)}
                />
              </Stack>
            </Card>
            <Card title={texts.buttons}>
              <Buttons form={form} />
            </Card>
            <Card title={texts.seo}>
              <Stack>
                <TextInput
                  label={texts.slug}
                  description={texts.slugHint}
                  disabled={!canWrite}
                  {...form.getInputProps('slug')}
                />
                <Textarea
                  label={texts.metaDescription}
                  description={texts.metaHint(formatNumber(form.values.metaDescription.length, language))}
                  autosize
                  minRows={2}
                  disabled={!canWrite}
                  {...form.getInputProps('metaDescription')}
                />
                <SearchPreview values={form.values} />
              </Stack>
            </Card>
          </Stack>
        </Grid.Col>
      </Grid>
      {canWrite && (
        <FormActions>
          <Button type="submit" loading={saving.isPending}>
            {words.save}
          </Button>
        </FormActions>
      )}
    </form>
  )
}
