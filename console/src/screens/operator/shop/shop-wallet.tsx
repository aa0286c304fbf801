import { Alert, Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { useAction } from '../../../components/actions.tsx'
import { ask } from '../../../components/dialogs/questions.tsx'
import { useKeptForm } from '../../../components/forms/kept-form.ts'
import { MoneyInput } from '../../../components/forms/money-input.tsx'
import { useSentOnce } from '../../../components/forms/sent-once.ts'
import { Card, Loaded, ProblemNote } from '../../../components/page.tsx'
import { Money } from '../../../components/values.tsx'
import { formatVnd } from '../../../format.ts'
import { common } from '../../../texts/common.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { operatorTexts } from '../texts.ts'
import { walletQuery } from './queries.ts'

type Entry = { type: 'top_up' | 'correction'; amount: number; note: string }
const EMPTY = { type: 'top_up' as const, amount: null, note: '' }

/** The shop's balance, and a form for a wallet entry, which asks for confirmation. */
export function ShopWallet({ shopId, shopName }: { shopId: string; shopName: string }) {
  const { wallet: texts } = useTexts(operatorTexts)
  const wallet = useQuery(walletQuery(shopId))
  return (
    <Card title={texts.title}>
      <Stack>
        <Loaded query={wallet}>
          {({ data }) => (
            <Group gap="xl">
              <Figure label={texts.balance} vnd={data.balance} />
              <Figure label={texts.held} vnd={data.held} />
            </Group>
          )}
        </Loaded>
        <EntryForm shopId={shopId} shopName={shopName} />
      </Stack>
    </Card>
  )
}

function Figure({ label, vnd }: { label: string; vnd: number }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz="xl" fw={650} component="div">
        <Money vnd={vnd} />
      </Text>
    </div>
  )
}

function EntryForm({ shopId, shopName }: { shopId: string; shopName: string }) {
  const { wallet: texts } = useTexts(operatorTexts)
  const { language } = useLanguage()
  const words = useTexts(common)
  const { send, unsure } = useSentOnce<Entry>(`wallet ${shopId}`)
  const form = useKeptForm<Omit<Entry, 'amount'> & { amount: number | null }>('entry', unsure ?? EMPTY, {
    validate: {
      amount: (vnd) => (vnd ? null : texts.amountNeeded),
      note: (text) => (text.trim() === '' ? texts.noteNeeded : null),
    },
  })
  const { type } = form.values
  const entering = useAction({
    form,
    run: (body: Entry) => {
      const params = { path: { id: shopId } }
      return send(body, (headers) =>
        dataOf(api.POST('/api/manage/v1/shops/{id}/wallet/entries', { params, headers, body })),
      )
    },
    stale: [walletQuery(shopId).queryKey, ['operator', 'audit'], ['wallet'], ['overview']],
    done: texts.done,
    quiet: true,
    onDone: () => form.put(EMPTY, true),
  })
  const submit = form.onSubmit(({ amount, ...values }) => {
    const body = { ...values, amount: Number(amount) }
    ask({
      title: words.confirmTitle,
      children: (
        <Text size="sm">{texts.question(texts.types[type], formatVnd(body.amount, language), shopName)}</Text>
      ),
      labels: { confirm: texts.types[type], cancel: words.cancel },
      onConfirm: () => entering.mutate(body),
    })
  })
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        {entering.error !== null && <ProblemNote error={entering.error} />}
        {unsure !== undefined && !entering.isPending && <Alert color="yellow">{words.unsure}</Alert>}
        <SegmentedControl
          aria-label={texts.type}
          data={[
            { value: 'top_up', label: texts.types.top_up },
            { value: 'correction', label: texts.types.correction },
          ]}
          {...form.getInputProps('type')}
        />
        <TextInput required label={texts.note} description={texts.noteHint} {...form.getInputProps('note')} />
        <MoneyInput
          // What is an amount of one is none of the other.
          key={type}
          required
          label={texts.amount}
          description={type === 'correction' ? texts.amountHint : undefined}
          allowNegative={type === 'correction'}
          step={100_000}
          {...form.getInputProps('amount')}
        />
        <Group justify="flex-end">
          <Button type="submit" variant="light" loading={entering.isPending}>
            {texts.types[type]}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
