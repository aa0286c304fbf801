import { currentLanguage } from './texts/language.tsx'

const WORDS = {
  missing: { vi: 'Hãy điền ô này.', en: 'Fill in this field.' },
  email: { vi: 'Hãy nhập địa chỉ email.', en: 'Enter an email address.' },
  url: {
    vi: 'Hãy nhập địa chỉ web, bắt đầu bằng https://.',
    en: 'Enter a web address that begins with https://.',
  },
  wrong: { vi: 'Nội dung ô này chưa đúng.', en: 'This value is not valid.' },
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Shows the browser's messages beside invalid fields in the reader's language instead of the browser's. */
export function wordValidity(): void {
  const worded = new Set<Field>()
  const clear = () => {
    for (const field of worded) field.setCustomValidity('')
    worded.clear()
  }
  document.addEventListener(
    'invalid',
    ({ target }) => {
      const field = target as Field
      if (field.validity.customError) return
      field.setCustomValidity(WORDS[faultOf(field)][currentLanguage()])
      worded.add(field)
    },
    true,
  )
  // Runs before a form is checked again.
  for (const event of ['input', 'click', 'keydown']) document.addEventListener(event, clear, true)
}

function faultOf({ validity, type }: Field): keyof typeof WORDS {
  if (validity.valueMissing) return 'missing'
  if (validity.typeMismatch && (type === 'email' || type === 'url')) return type
  return 'wrong'
}
