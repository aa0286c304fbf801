import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useAction } from '../../components/actions.tsx'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { FormDialog } from '../../components/forms/leave-question.tsx'
import { MoneyInput } from '../../components/forms/money-input.tsx'
import { ProblemNote } from '../../components/page.tsx'
import { Money } from '../../components/values.tsx'
import { formatVnd } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { customerTexts } from './texts.ts'

type Opening = { amount: number; paidAmount: number; left: number } | null

/** What is left of a customer's debt from before their first order (G-124), and a link to record or correct it. */
export function OpeningDebt({ customerId, opening }: { customerId: string; opening: Opening }) {
  const texts = useTexts(customerTexts)
  const { edit } = useTexts(common)
  const { canWrite } = useSession()
  const [isOpen, dialog] = useDisclosure()
  return (
    <>
      {opening !== null && (
        <Group justify="space-between" gap="sm" wrap="nowrap">
          <span>
            <Text span size="sm">
              {texts.openingDebt}
            </Text>{' '}
            {canWrite && (
              <Anchor
                component="button"
                type="button"
                size="xs"
                onClick={dialog.open}
                aria-label={texts.editOpeningDebt}
              >
                {edit}
              </Anchor>
            )}
          </span>
          <Money vnd={opening.left} />
        </Group>
      )}
      {opening === null && canWrite && (
        <div>
          <Anchor component="button" type="button" size="sm" onClick={dialog.open}>
            {texts.recordOpeningDebt}
          </Anchor>
        </div>
      )}
      <FormDialog opened={isOpen} onClose={dialog.close} title={texts.openingDebt}>
        {isOpen && <OpeningDebtForm customerId={customerId} opening={opening} onDone={dialog.close} />}
      </FormDialog>
    </>
  )
}

function OpeningDebtForm(props: { customerId: string; opening: Opening; onDone: () => void }) {
  const { customerId, opening, onDone } = props
  const texts = useTexts(customerTexts)
  const words = useTexts(common)
  const { language } = useLanguage()
  const paid = opening?.paidAmount ?? 0
  const form = useKeptForm<{ openingDebt: number | null }>(
    `opening debt ${customerId}`,
    { openingDebt: opening?.amount ?? null },
    {
      validate: {
        openingDebt: (vnd) => ((vnd ?? 0) < paid ? texts.belowPaid(formatVnd(paid, language)) : null),
      },
    },
  )
  const saving = useAction({
    form,
    run: ({ openingDebt }: typeof form.values) =>
      dataOf(
        api.PATCH('/api/external/v1/customers/{id}', {
          params: { path: { id: customerId } },
          body: { openingDebt: openingDebt ?? 0 },
        }),
      ),
    stale: [['customers']],
    done: texts.openingDebtSaved,
    quiet: true,
    onDone,
  })
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))}>
      <Stack>
        {saving.error !== null && <ProblemNote error={saving.error} />}
        <MoneyInput
          label={texts.openingDebt}
          description={paid > 0 ? texts.openingDebtPaid(formatVnd(paid, language)) : texts.openingDebtHint}
          data-autofocus
          {...form.getInputProps('openingDebt')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={saving.isPending}>
            {words.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
