import { api } from './client.ts'
import { dataOf } from './problem.ts'

/** The kinds of files that the service takes as images. */
export const IMAGE_TYPES = 'image/png,image/jpeg,image/webp'

/** Stores an image of the shop; its public address. */
export async function uploadImage(file: File): Promise<string> {
  const { data } = await dataOf(
    api.POST('/api/external/v1/images', {
      // The API document can only describe a binary body as a string.
      body: file as unknown as string,
      bodySerializer: (body) => body,
      headers: { 'content-type': file.type },
    }),
  )
  return data.url
}

const STORED = /\/images\/[0-9a-f]{24}\/[0-9a-f]{64}\.(png|jpg|webp)$/

/** The address of a stored image's version with 96 pixels; any other address unchanged. */
export function thumbnailOf(address: string): string {
  return STORED.test(address) ? `${address}?size=96` : address
}
