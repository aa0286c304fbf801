import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { dataOf } from '../api/problem.ts'
import type { Language } from '../texts/catalogue.ts'
import { common } from '../texts/common.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { saveFile } from './download.ts'
import { sentenceOf } from './page.tsx'

/**
 * Fetches a file with the session's credentials (`parseAs: 'blob'`) and saves it under the name in the response. `labels` is
 * the language in which an export is written for people (G-121).
 */
export function DownloadButton(props: {
  label: string
  size?: 'xs'
  fetchFile: (labels: Language) => Promise<{ data?: unknown; error?: unknown; response: Response }>
}) {
  const { label, size, fetchFile } = props
  const texts = useTexts(common)
  const { language } = useLanguage()
  const download = useMutation({
    mutationFn: async () => {
      const call = fetchFile(language)
      const content = (await dataOf(call)) as Blob
      const { response } = await call
      const named = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')
      saveFile(content, named?.[1] ?? 'download.csv')
    },
    onError(error) {
      notifications.show({ color: 'red', title: texts.failed, message: sentenceOf(error, texts.offline) })
    },
  })
  return (
    <Button
      variant="default"
      size={size}
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      {label}
    </Button>
  )
}
