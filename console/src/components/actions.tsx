import { Button, type ButtonProps, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type QueryKey, replaceEqualDeep, useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useRef } from 'react'
import { isRefusal } from '../api/outcome.ts'
import { NotSaved, Problem } from '../api/problem.ts'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'
import { ask } from './dialogs/questions.tsx'
import { sentenceOf } from './page.tsx'

/**
 * Runs a change of the shop's data. Afterwards the `stale` queries are read again, also when the outcome is unknown.
 * Success and failure are announced; after a failure the input stays. Refused fields of a `form` show their message;
 * once saved, the form is no longer guarded. `quiet`: the form itself shows a failure. While a change is running, `mutate` with the
 * same values is ignored: the second press of a double click comes before its button shows that it is busy. With other values, such
 * as those of another row, a second change runs beside it.
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
  const running = useRef<V[]>([])
  const action = useMutation({
    mutationFn: options.run,
    async onSuccess(result, values) {
      options.form?.saved()
      await Promise.all(options.stale.map((queryKey) => client.invalidateQueries({ queryKey })))
      if (options.done !== undefined) notifications.show({ message: options.done, color: 'teal' })
      options.onDone?.(result, values)
    },
    onError(error) {
      if (error instanceof Problem) options.form?.setErrors?.(error.fields)
      // The change may have been made nevertheless.
      if (!isRefusal(error) && !(error instanceof NotSaved))
        for (const queryKey of options.stale) void client.invalidateQueries({ queryKey })
      if (options.quiet || error instanceof NotSaved) return
      notifications.show({ color: 'red', title: texts.failed, message: sentenceOf(error, texts.offline) })
    },
    onSettled(_, __, values) {
      running.current = running.current.filter((one) => !isSame(one, values))
    },
  })
  const { mutate: start } = action
  const mutate = useCallback<typeof start>(
    (...args) => {
      const [values] = args as [V]
      if (running.current.some((one) => isSame(one, values))) return
      running.current = [...running.current, values]
      start(...args)
    },
    [start],
  )
  return { ...action, mutate }
}

/** Whether two values of an action are the same, part by part; a file or another object of a class only if it is the same one. */
function isSame(one: unknown, other: unknown): boolean {
  return replaceEqualDeep(one, other) === one
}

/** A button that asks for confirmation before an action that cannot be undone. */
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
