import { Box, Paper, Stack, Text } from '@mantine/core'
import { useTexts } from '../../texts/language.tsx'
import type { ArticleValues } from './article-values.ts'
import { newsTexts } from './texts.ts'

/**
 * The card that chat apps show of a link to the article: its first image, title and `description`.
 */
export function SharePreview({ values, description }: { values: ArticleValues; description: string }) {
  const texts = useTexts(newsTexts)
  const { title, images } = values
  const [image] = images
  return (
    <Stack gap={4} component="section" aria-label={texts.sharePreview}>
      <Text size="sm" c="dimmed">
        {texts.sharePreview}
      </Text>
      <Paper withBorder style={{ overflow: 'hidden' }}>
        {image !== undefined && (
          <Box
            component="img"
            src={image}
            alt=""
            style={{ display: 'block', width: '100%', aspectRatio: '1.91', objectFit: 'cover' }}
          />
        )}
        <Stack gap={2} p="xs">
          <Text fw={500} lineClamp={2}>
            {title}
          </Text>
          <Text size="sm" c="dimmed" lineClamp={2}>
            {description}
          </Text>
        </Stack>
      </Paper>
      <Text size="xs" c="dimmed">
        {texts.shareHint}
      </Text>
    </Stack>
  )
}
