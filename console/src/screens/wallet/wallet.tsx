import { Button, Group, Paper, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useAction } from '../../components/actions.tsx'
import { useEdit } from '../../components/concurrent-edits/use-edit.ts'
import { Figure } from '../../components/figure.tsx'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { MoneyInput } from '../../components/forms/money-input.tsx'
import { Loaded, Page } from '../../components/page.tsx'
import { formatVnd } from '../../format.ts'
import { OperatorContact } from '../../shell/operator-contact.tsx'
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
            {isOwner && alert.data !== undefined && <Threshold alert={alert.data} />}
          </SimpleGrid>
        )}
      </Loaded>
      <OperatorContact />
      <Ledger />
    </Page>
  )
}

type Alert = { __v: number; lowBelow: number | null }
type Values = { lowBelow: number | null }

const valuesOf = ({ lowBelow }: Alert): Values => ({ lowBelow })
/** In đồng; null: never. */
const thresholdOf = (vnd: number | null) => (vnd === 0 ? null : vnd)

function Threshold({ alert }: { alert: Alert }) {
  const texts = useTexts(walletTexts)
  const { save } = useTexts(common)
  const { language } = useLanguage()
  const form = useKeptForm<Values>('alert', valuesOf(alert))
  const edit = useEdit({
    name: 'alert',
    record: alert,
    valuesOf,
    read: () => dataOf(api.GET('/api/external/wallet/alert')),
    put: form.put,
    labels: { lowBelow: texts.alert },
    show: {
      lowBelow: (value) => {
        const vnd = thresholdOf(value)
        return vnd === null ? '' : formatVnd(vnd, language)
      },
    },
    essence: { lowBelow: thresholdOf },
  })
  const saving = useAction({
    form,
    run: (values: Values) =>
      edit.save(values, ({ lowBelow }, headers) =>
        dataOf(api.PUT('/api/external/wallet/alert', { body: { lowBelow: thresholdOf(lowBelow) }, headers })),
      ),
    stale: [['wallet'], ['overview']],
    done: texts.alertSaved,
  })
  return (
    <Paper withBorder p="md">
      <form onSubmit={form.onSubmit((values) => saving.mutate(values))}>
        <Group align="flex-end" wrap="nowrap">
          <MoneyInput
            label={texts.alert}
            description={texts.alertHint}
            step={50_000}
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
