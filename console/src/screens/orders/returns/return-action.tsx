import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { FormDialog } from '../../../components/forms/leave-question.tsx'
import { Waiting } from '../../../components/page.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { type Order, returnsQuery } from '../order-queries.ts'
import { orderTexts } from '../texts.ts'

const ReturnDialog = lazy(async () => ({ default: (await import('./return-form.tsx')).ReturnDialog }))

/** A button for goods that the customer brings back; hidden if nothing of the order can come back any more. */
export function ReturnAction({ order }: { order: Order }) {
  const texts = useTexts(orderTexts)
  const [isOpen, dialog] = useDisclosure()
  const { data } = useQuery(returnsQuery(order))
  const isLeft = data?.lines.some(({ quantityLeft }) => quantityLeft > 0)
  if (!isLeft && !isOpen) return null
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {texts.returnGoods}
      </Button>
      <FormDialog opened={isOpen} onClose={dialog.close} title={texts.returnGoods} size="lg">
        {isOpen && (
          <Suspense fallback={<Waiting />}>
            <ReturnDialog order={order} onDone={dialog.close} />
          </Suspense>
        )}
      </FormDialog>
    </>
  )
}
