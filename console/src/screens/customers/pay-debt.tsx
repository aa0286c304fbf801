import { Button, type ButtonProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { FormDialog } from '../../components/forms/leave-question.tsx'
import { Waiting } from '../../components/page.tsx'
import { useTexts } from '../../texts/language.tsx'
import { debtQuery } from './customer-queries.ts'
import { customerTexts } from './texts.ts'

const DebtForm = lazy(async () => ({ default: (await import('./debt-form.tsx')).DebtForm }))

/** A button for a customer's payment of everything that is owed; hidden if nothing is owed. */
export function PayDebt({
  customerId,
  ...look
}: { customerId: string } & Pick<ButtonProps, 'size' | 'variant'>) {
  const texts = useTexts(customerTexts)
  const [isOpen, dialog] = useDisclosure()
  const { data } = useQuery(debtQuery(customerId))
  if (data === undefined || (data.debt === 0 && !isOpen)) return null
  return (
    <>
      <Button {...look} onClick={dialog.open}>
        {texts.payDebt}
      </Button>
      <FormDialog opened={isOpen} onClose={dialog.close} title={texts.payDebt}>
        {isOpen && (
          <Suspense fallback={<Waiting />}>
            <DebtForm customerId={customerId} debt={data} onDone={dialog.close} />
          </Suspense>
        )}
      </FormDialog>
    </>
  )
}
