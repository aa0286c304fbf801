import type { Language } from '../texts/catalogue.ts'

export type { Language }

/** The language of the texts in a response: `Accept-Language`, else the shop's language, else English (G-05). */
export function languageOf(acceptLanguage: string | undefined, shopLanguage: Language | undefined): Language {
  let best: Language | undefined
  let bestWeight = 0
  for (const part of (acceptLanguage ?? '').split(',')) {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
    const primary = tag.split('-')[0]
    if (primary !== 'vi' && primary !== 'en') continue
    const quality = parameters.find((parameter) => parameter.trim().startsWith('q='))
    const weight = quality === undefined ? 1 : Number(quality.trim().slice(2))
    if (weight > bestWeight) {
      best = primary
      bestWeight = weight
    }
  }
  return best ?? shopLanguage ?? 'en'
}
