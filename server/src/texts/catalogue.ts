import { en, type Texts } from './en.ts'
import { vi } from './vi.ts'

export type Language = 'vi' | 'en'

/** The catalogue of texts in a language (G-05). */
export function textsIn(language: Language): Texts {
  return language === 'vi' ? vi : en
}

/** The text with each `{name}` replaced by its value, if it has one. */
export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

const VND = {
  vi: new Intl.NumberFormat('vi-VN', { style: 'currency', currency: 'VND' }),
  en: new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'VND' }),
}

/** Whole đồng as the console shows them: `1.250.000 ₫`. */
export function formatVnd(amountVnd: number, language: Language): string {
  return VND[language].format(amountVnd)
}

/** One text in every language, for texts that are stored before their reader is known. */
export function inEveryLanguage(write: (language: Language) => string): Record<Language, string> {
  return { vi: write('vi'), en: write('en') }
}
