import { Alert, Button, Grid, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Article } from '../../api/rows.ts'
import { DateInput } from '../../components/forms/date-input.tsx'
import { FormActions } from '../../components/forms/form-actions.tsx'
import { ImagesField } from '../../components/forms/images-field.tsx'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { Card, ProblemNote } from '../../components/page.tsx'
import { HtmlEditor } from '../../components/rich-text/html-editor.tsx'
import { wordsOf } from '../../components/rich-text/html-values.ts'
import { formatNumber, instantOf } from '../../format.ts'
import { Explained } from '../../help/whats-this.tsx'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { EMPTY } from '../../texts/field-problem.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { Buttons } from './article-parts.tsx'
import { ArticlePreview } from './article-preview.tsx'
import { valuesOf } from './article-values.ts'
import type { Draft } from './drafts/draft.ts'
import { draftTexts } from './drafts/draft-texts.ts'
import { errorsOf, PublishingNote } from './drafts/publishing.tsx'
import { RelatedProducts } from './related-products.tsx'
import { SearchPreview } from './search-preview.tsx'
import { SharePreview } from './share-preview.tsx'
import { newsTexts } from './texts.ts'
import { useWriting } from './use-writing.ts'

/**
 * The form of an article, of a draft, or of a new text. Until it is an article, the form saves itself as a draft, and
 * can be published from here. Refusals are shown at their fields, and the input stays.
 */
export function ArticleForm(props: {
  article?: Article
  draft?: Draft | undefined
  onKept?: (id: string) => void
  onSaved: (id: string) => void
}) {
  const { article, onKept = () => undefined, onSaved } = props
  const texts = useTexts(newsTexts)
  const words = useTexts(common)
  const drafts = useTexts(draftTexts)
  const { language } = useLanguage()
  const { canWrite } = useSession()
  const [keptId, setKeptId] = useState(props.draft?._id)
  const address = article === undefined ? addressOf(keptId) : undefined
  const form = useKeptForm('article', valuesOf(article ?? props.draft), {
    address,
    initialErrors: errorsOf(props.draft, language),
    // A draft may be incomplete; this is asked before an article is published, scheduled or saved.
    validate: { content: (html) => (html.trim() === '' ? EMPTY[language] : null) },
  })
  // An article is published as shown. Only a draft from elsewhere, or an older one, may be hidden.
  const [hasStatus] = useState(article !== undefined || form.values.status === 'inactive')
  const { draft, save, keep, keepingNote } = useWriting({
    ...props,
    draft: props.draft,
    article,
    form,
    canWrite,
    address,
    onKept: (id) => {
      setKeptId(id)
      onKept(id)
    },
    onSaved,
  })
  const { content, metaDescription } = form.values
  const contentWords = useMemo(() => wordsOf(content), [content])
  const description = metaDescription || contentWords
  const isTimed = form.values.publishAt !== ''
  const submit = form.onSubmit((values) => {
    if (article !== undefined || !isTimed) save.mutate(values)
    else if (Date.parse(instantOf(values.publishAt)) <= Date.now())
      form.setFieldError('publishAt', drafts.mustBeLater)
    else keep.mutate(values)
  })
  const publishNow = form.onSubmit((values) => save.mutate(values))
  const error = save.error ?? keep.error

  return (
    <form onSubmit={submit}>
      <Grid>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack>
            {draft !== undefined && <PublishingNote draft={draft} />}
            {error !== null && <ProblemNote error={error} />}
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
            <Card
              title={article === undefined ? drafts.publishing : words.status}
              {...(article === undefined && { term: 'publishing' as const })}
              actions={<ArticlePreview values={form.values} />}
            >
              <Stack>
                {(hasStatus || form.values.status === 'inactive') && (
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
                )}
                {article === undefined && form.values.status === 'inactive' && (
                  <Alert color="yellow">{drafts.hidden}</Alert>
                )}
                {article === undefined && (
                  <DateInput
                    hasTime
                    label={drafts.publishAt}
                    description={drafts.publishAtHint}
                    disabled={!canWrite}
                    {...form.getInputProps('publishAt')}
                  />
                )}
              </Stack>
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
            <Card title={texts.seo} term="seo">
              <Stack>
                <Explained term="slug" of={texts.slug}>
                  <TextInput
                    label={texts.slug}
                    description={texts.slugHint}
                    disabled={!canWrite}
                    {...form.getInputProps('slug')}
                  />
                </Explained>
                <Textarea
                  label={texts.metaDescription}
                  description={texts.metaHint(formatNumber(form.values.metaDescription.length, language))}
                  autosize
                  minRows={2}
                  disabled={!canWrite}
                  {...form.getInputProps('metaDescription')}
                />
                <SearchPreview
                  values={form.values}
                  description={description}
                  {...(article === undefined ? {} : { storedSlug: article.slug })}
                />
                <SharePreview values={form.values} description={description} />
              </Stack>
            </Card>
          </Stack>
        </Grid.Col>
      </Grid>
      {canWrite && (
        <FormActions {...(article === undefined ? { note: <KeepingNote text={keepingNote} /> } : {})}>
          {article === undefined && (
            <Button
              variant="default"
              loading={isTimed ? save.isPending : keep.isPending}
              disabled={isTimed ? keep.isPending : save.isPending}
              onClick={(event) => {
                if (!isTimed) keep.mutate(form.values)
                else if (event.currentTarget.form?.reportValidity()) publishNow(event)
              }}
            >
              {isTimed ? drafts.publishNow : drafts.keep}
            </Button>
          )}
          <Button
            type="submit"
            loading={isTimed ? keep.isPending : save.isPending}
            disabled={isTimed ? save.isPending : keep.isPending}
          >
            {article !== undefined ? words.save : isTimed ? drafts.schedule : drafts.publishNow}
          </Button>
        </FormActions>
      )}
    </form>
  )
}

/** The address of the form of an unpublished text, so that its input is found there after a reload. */
const addressOf = (draftId: string | undefined) =>
  draftId === undefined ? '/news/new' : `/news/new?draft=${draftId}`

/** The state of automatic saving, announced to screen readers. */
function KeepingNote({ text }: { text: string }) {
  return (
    <Text size="sm" c="dimmed" role="status">
      {text}
    </Text>
  )
}
