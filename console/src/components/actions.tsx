import { Button, type ButtonProps, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isRefusal } from '../api/outcome.ts'
import { NotSaved, Problem } from '../api/problem.ts'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'
import { ask } from './dialogs/questions.tsx'
import { sentenceOf } from './page.tsx'

/**
 * A change of the shop's data: stale queries are read again, also where its outcome is not known, success and failure are announced, and a failure keeps the
 * input. Refused fields of a `form` show their message, and it is guarded no more once saved; `quiet` if the form also shows the failure itself.
 */
export function useAction<V, R>(options: {
  run: (values: V) => Promise<R>
  stale: QueryKey[]
  done?: string
  quiet?: boolean
  form?: { setErrors?: (errors: Record<string, string>) => void; saved: () => void }
  onDone?: (result: R, values: V) => void
}) {
  const client = useQueryClient()
  const texts = useTexts(common)
  return useMutation({
    mutationFn: options.run,
    async onSuccess(result, values) {
      options.form?.saved()
      await Promise.all(options.stale.map((queryKey) => client.invalidateQueries({ queryKey })))
      if (options.done !== undefined) notifications.show({ message: options.done, color: 'teal' })
      options.onDone?.(result, values)
    },
    onError(error) {
      if (error instanceof Problem) options.form?.setErrors?.(error.fields)
      // It may have been done all the same.
      if (!isRefusal(error) && !(error instanceof NotSaved))
        for (const queryKey of options.stale) void client.invalidateQueries({ queryKey })
      if (options.quiet || error instanceof NotSaved) return
      notifications.show({ color: 'red', title: texts.failed, message: sentenceOf(error, texts.offline) })
    },
  })
}

/** A button that asks before it does something that cannot be taken back. */
export function ConfirmButton(
  props: ButtonProps & { question: string; onConfirm: () => void; children: ReactNode; confirm?: string },
) {
  const { question, onConfirm, children, confirm, ...rest } = props
  const texts = useTexts(common)
  return (
    <Button
      color="red"
      variant="light"
      {...rest}
      onClick={() =>
        ask({
          title: texts.confirmTitle,
          children: <Text size="sm">{question}</Text>,
          labels: { confirm: confirm ?? texts.delete, cancel: texts.cancel },
          confirmProps: { color: 'red' },
          onConfirm,
        })
      }
    >
      {children}
    </Button>
  )
}
