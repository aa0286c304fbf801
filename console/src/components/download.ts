import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { dataOf } from '../api/problem.ts'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'
import { sentenceOf } from './page.tsx'

/** The browser reads the file after the click, on a busy machine much later. */
const TAKEN_AFTER_MS = 60_000

/** Saves a file to the browser's downloads. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), TAKEN_AFTER_MS)
}

/** Fetches a file with the session's credentials (`parseAs: 'blob'`) and saves it under the name in the response. */
export function useDownload<V = void>(
  fetchFile: (values: V) => Promise<{ data?: unknown; error?: unknown; response: Response }>,
) {
  const texts = useTexts(common)
  return useMutation({
    mutationFn: async (values: V) => {
      const call = fetchFile(values)
      const content = (await dataOf(call)) as Blob
      const { response } = await call
      const named = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')
      saveFile(content, named?.[1] ?? 'download.csv')
    },
    onError(error) {
      notifications.show({ color: 'red', title: texts.failed, message: sentenceOf(error, texts.offline) })
    },
  })
}
