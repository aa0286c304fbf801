export type Language = 'vi' | 'en'

/** The texts of one screen in both languages. The compiler reports a missing text. */
export type Catalogue<T> = Record<Language, T>

type Texts = { [key: string]: string | ((...values: never[]) => string) | Texts }
type SameShape<T> = {
  [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...values: infer V) => string
      ? (...values: V) => string
      : SameShape<T[K]>
}

export function catalogue<T extends Texts>(vi: T, en: SameShape<T>): Catalogue<SameShape<T>> {
  return { vi: vi as unknown as SameShape<T>, en }
}
