import { Button, Grid, Group, SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useRef } from 'react'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Article } from '../../api/rows.ts'
import { useAction } from '../../components/actions.tsx'
import { useLeaveQuestion } from '../../components/leave-question.tsx'
import { Card, ProblemNote } from '../../components/page.tsx'
import { formatNumber } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { Buttons, Images } from './article-parts.tsx'
import { type ArticleValues, valuesOf } from './article-values.ts'
import { ContentEditor } from './content-editor.tsx'
import { RelatedProducts } from './related-products.tsx'
import { newsTexts } from './texts.ts'

/** Writes the article, then attaches and detaches what differs (E15); an article made before stays the same one. */
async function saveArticle(id: string | undefined, { items, ...body }: ArticleValues, attached: string[]) {
  const path = { id: id ?? '' }
  const { data } =
    id === undefined
      ? await dataOf(api.POST('/api/external/news', { body }))
      : await dataOf(api.PUT('/api/external/news/{id}', { params: { path }, body }))
  return {
    saved: data,
    async relate() {
      const wanted = items.map((item) => item._id)
      const added = wanted.filter((item) => !attached.includes(item))
      const removed = attached.filter((item) => !wanted.includes(item))
      const params = { path: { id: data._id } }
      if (added.length > 0)
        await dataOf(api.POST('/api/external/news/{id}/items', { params, body: { newsIds: added } }))
      if (removed.length > 0)
        await dataOf(api.DELETE('/api/external/news/{id}/items', { params, body: { newsIds: removed } }))
    },
  }
}

/** A new article, or the given one. What is refused stands at its field, and what was typed stays. */
export function ArticleForm(props: { article: Article | undefined; onSaved: (id: string) => void }) {
  const { article, onSaved } = props
  const texts = useTexts(newsTexts)
  const words = useTexts(common)
  const { language } = useLanguage()
  const { canWrite } = useSession()
  const form = useForm({ initialValues: valuesOf(article) })
  useLeaveQuestion(form.isDirty())
  // Made by a try whose second half failed: the next try changes it.
  const id = useRef(article?._id)
  const saving = useAction({
    form,
    run: async (values: ArticleValues) => {
      const { saved, relate } = await saveArticle(
        id.current,
        values,
        (article?.items ?? []).map((item) => item._id),
      )
      id.current = saved._id
      await relate()
      return saved
    },
    stale: [['news']],
    done: texts.saved,
    quiet: true,
    onDone: (saved, values) => {
      form.setFieldValue('slug', saved.slug)
      form.resetDirty({ ...values, slug: saved.slug })
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
                <ContentEditor
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
            <Card title={words.status}>
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
              <Images form={form} />
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
              </Stack>
            </Card>
          </Stack>
        </Grid.Col>
      </Grid>
      {canWrite && (
        <Group justify="flex-end" mt="md">
          <Button type="submit" loading={saving.isPending}>
            {words.save}
          </Button>
        </Group>
      )}
    </form>
  )
}
