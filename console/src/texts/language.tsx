import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import type { Catalogue, Language } from './catalogue.ts'

const KEY = 'shopbell.language'

/** The current language, for code outside React. Requests send it as `Accept-Language`. */
export function currentLanguage(): Language {
  const kept = localStorage.getItem(KEY)
  if (kept === 'vi' || kept === 'en') return kept
  return navigator.language.toLowerCase().startsWith('vi') ? 'vi' : 'en'
}

const LanguageContext = createContext<{ language: Language; setLanguage(language: Language): void }>({
  language: 'vi',
  setLanguage: () => undefined,
})

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setState] = useState(currentLanguage)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const value = useMemo(
    () => ({
      language,
      setLanguage(next: Language) {
        localStorage.setItem(KEY, next)
        setState(next)
      },
    }),
    [language],
  )
  return <LanguageContext.Provider value={value}>{children}</LanguageContext.Provider>
}

export function useLanguage() {
  return useContext(LanguageContext)
}

/** A screen's texts in the current language. */
export function useTexts<T>(catalogue: Catalogue<T>): T {
  return catalogue[useLanguage().language]
}
