import { lazy, Suspense } from 'react'
import type { LastChange } from '../../api/problem.ts'
import { formatTime } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { ask } from '../dialogs/questions.tsx'
import { Waiting } from '../page.tsx'
import type { Choice, Difference } from './question-body.tsx'
import { editTexts } from './texts.ts'

const QuestionBody = lazy(async () => ({ default: (await import('./question-body.tsx')).QuestionBody }))

/** Asks what to do about another person's change. Closing the dialog returns to the form. */
export function useEditQuestion(): (change: LastChange, differences: Difference[]) => Promise<Choice> {
  const texts = useTexts(editTexts)
  const { language } = useLanguage()
  return (change, differences) =>
    new Promise((resolve) => {
      const close = ask({
        title: texts.title,
        size: 'lg',
        onClose: () => resolve('back'),
        // The dialog's own handler is not used, because a form's dialog beneath would react to it too.
        closeOnEscape: false,
        onKeyDown: (event) => event.key === 'Escape' && close(),
        children: (
          <Suspense fallback={<Waiting />}>
            <QuestionBody
              texts={texts}
              who={sentenceOf(change, texts, formatTime(change.at, language))}
              differences={differences}
              onChoice={(choice) => {
                resolve(choice)
                close()
              }}
            />
          </Suspense>
        ),
      })
    })
}

type Texts = (typeof editTexts)['vi']

function sentenceOf({ by }: LastChange, texts: Texts, at: string): string {
  if (by === null) return texts.byUnknown(at)
  return by.type === 'member' ? texts.byPerson(by.name, at) : texts.byKey(by.name, at)
}
