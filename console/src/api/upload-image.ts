import { currentLanguage } from '../texts/language.tsx'
import { api } from './client.ts'
import { dataOf, Problem } from './problem.ts'

/** The kinds of files that the service takes as images. */
export const IMAGE_TYPES = 'image/png,image/jpeg,image/webp'

const NO_IMAGE = {
  vi: (name: string) => `“${name}” không phải là ảnh PNG, JPEG hoặc WebP.`,
  en: (name: string) => `“${name}” is not a PNG, JPEG or WebP image.`,
}

/**
 * Stores an image of the shop; its public address.
 * @throws Problem that names the file, if it is no image
 */
export async function uploadImage(file: File): Promise<string> {
  const { data } = await dataOf(
    api.POST('/api/external/v1/images', {
      // The API document can only describe a binary body as a string.
      body: file as unknown as string,
      bodySerializer: (body) => body,
      headers: { 'content-type': file.type },
    }),
  ).catch((error: unknown) => {
    // The service's sentence is for API callers, who may also send a form.
    if (!(error instanceof Problem) || !(error.code === 'IMAGE_NOT_SUPPORTED' || error.status === 415))
      throw error
    throw error.saying(NO_IMAGE[currentLanguage()](file.name))
  })
  return data.url
}

const STORED = /\/images\/[0-9a-f]{24}\/[0-9a-f]{64}\.(png|jpg|webp)$/

/** The address of a stored image's version with 96 pixels; any other address unchanged. */
export function thumbnailOf(address: string): string {
  return STORED.test(address) ? `${address}?size=96` : address
}
