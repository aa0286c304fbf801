import { Stack, Text } from '@mantine/core'
import { useTexts } from '../../texts/language.tsx'
import type { ArticleValues } from './article-values.ts'
import { slugify } from './slug.ts'
import { newsTexts } from './texts.ts'

/** The lengths that search engines usually show. */
const TITLE_LENGTH = 60
const DESCRIPTION_LENGTH = 160

const cut = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length).replace(/\s\S*$/, '')}…` : text

/**
 * The article as a search engine would show it. `description` is what is shown of its text; `storedSlug` stays if the
 * field is blank.
 */
export function SearchPreview(props: { values: ArticleValues; description: string; storedSlug?: string }) {
  const texts = useTexts(newsTexts)
  const { values, description, storedSlug = '' } = props
  const { title, slug, metaDescription } = values
  return (
    <Stack gap={2} component="section" aria-label={texts.seoPreview}>
      <Text size="sm" c="dimmed">
        {texts.seoPreview}
      </Text>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {`… › ${slugify(slug) || storedSlug || slugify(title) || texts.slugOfTitle}`}
      </Text>
      <Text c="indigo" fw={500}>
        {cut(title, TITLE_LENGTH)}
      </Text>
      <Text size="sm">{cut(description, DESCRIPTION_LENGTH)}</Text>
      {metaDescription === '' && (
        <Text size="xs" c="dimmed">
          {texts.noDescription}
        </Text>
      )}
      {title.length > TITLE_LENGTH && (
        <Text size="xs" c="var(--amber)">
          {texts.tooLong}
        </Text>
      )}
      {metaDescription.length > DESCRIPTION_LENGTH && (
        <Text size="xs" c="var(--amber)">
          {texts.descriptionTooLong}
        </Text>
      )}
    </Stack>
  )
}
