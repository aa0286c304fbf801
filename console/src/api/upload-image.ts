import { api } from './client.ts'
import { dataOf } from './problem.ts'

/** Stores an image of the shop; its public address. */
export async function uploadImage(file: File): Promise<string> {
  const { data } = await dataOf(
    api.POST('/api/external/v1/images', {
      // The document can only call a binary body a string.
      body: file as unknown as string,
      bodySerializer: (body) => body,
      headers: { 'content-type': file.type },
    }),
  )
  return data.url
}
