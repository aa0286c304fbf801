import { Button, Group, NumberInput, Paper, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useAction } from '../../components/actions.tsx'
import { Figure } from '../../components/figure.tsx'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { Loaded, Page } from '../../components/page.tsx'
import { formatVnd } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { Ledger } from './ledger.tsx'
import { walletTexts } from './texts.ts'

export function Wallet() {
  const texts = useTexts(walletTexts)
  const { isOwner } = useSession()
  const { language } = useLanguage()
  const wallet = useQuery({
    queryKey: ['wallet'],
    queryFn: () => dataOf(api.GET('/api/external/wallet')),
  })
  const alert = useQuery({
    queryKey: ['wallet', 'alert'],
    queryFn: () => dataOf(api.GET('/api/external/wallet/alert')),
  })
  return (
    <Page title={texts.title}>
      <Loaded query={wallet}>
        {({ balance, held }) => (
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
            <Figure label={texts.balance} value={formatVnd(balance, language)} hints={[texts.balanceHint]} />
            <Figure
              label={texts.held}
              value={formatVnd(held, language)}
              hints={[texts.heldHint]}
              term="held"
            />
            {isOwner && alert.data !== undefined && <Threshold lowBelow={alert.data.lowBelow} />}
          </SimpleGrid>
        )}
      </Loaded>
      <Ledger />
    </Page>
  )
}

function Threshold({ lowBelow }: { lowBelow: number | null }) {
  const texts = useTexts(walletTexts)
  const { save } = useTexts(common)
  const form = useKeptForm<{ lowBelow: number | string }>('alert', { lowBelow: lowBelow ?? '' })
  const saving = useAction({
    form,
    run: (value: number | null) =>
      dataOf(api.PUT('/api/external/wallet/alert', { body: { lowBelow: value } })),
    stale: [['wallet'], ['overview']],
    done: texts.alertSaved,
  })
  return (
    <Paper withBorder p="md">
      <form
        onSubmit={form.onSubmit(({ lowBelow: value }) =>
          saving.mutate(typeof value === 'number' && value > 0 ? value : null),
        )}
      >
        <Group align="flex-end" wrap="nowrap">
          <NumberInput
            label={texts.alert}
            description={texts.alertHint}
            min={0}
            step={50_000}
            thousandSeparator="."
            decimalSeparator=","
            suffix=" ₫"
            flex={1}
            {...form.getInputProps('lowBelow')}
          />
          <Button type="submit" variant="light" loading={saving.isPending}>
            {save}
          </Button>
        </Group>
      </form>
    </Paper>
  )
}
