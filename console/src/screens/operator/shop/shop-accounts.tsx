import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import type { OperatedAccount } from '../../../api/rows.ts'
import { ConfirmButton, useAction } from '../../../components/actions.tsx'
import { FormDialog } from '../../../components/forms/leave-question.tsx'
import { Card, Loaded } from '../../../components/page.tsx'
import { formatVnd } from '../../../format.ts'
import { common } from '../../../texts/common.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { operatorTexts } from '../texts.ts'
import { AccountForm } from './account-form.tsx'
import { accountsQuery } from './queries.ts'

/** The shop's official accounts with their prices, and which credentials are stored. The credentials are never shown. */
export function ShopAccounts({ shopId }: { shopId: string }) {
  const { accounts: texts } = useTexts(operatorTexts)
  const [open, setOpen] = useState<OperatedAccount | 'new'>()
  const accounts = useQuery(accountsQuery(shopId))
  const close = () => setOpen(undefined)
  return (
    <Card
      title={texts.title}
      actions={
        <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => setOpen('new')}>
          {texts.link}
        </Button>
      }
    >
      <Loaded query={accounts}>
        {({ data }) => (
          <Stack gap="xs">
            {data.length === 0 && <Text c="dimmed">{texts.empty}</Text>}
            {data.map((account) => (
              <AccountLine key={account._id} shopId={shopId} account={account} onOpen={setOpen} />
            ))}
          </Stack>
        )}
      </Loaded>
      <FormDialog
        opened={open !== undefined}
        onClose={close}
        title={open === 'new' ? texts.link : texts.change}
        closeOnClickOutside={false}
      >
        {open !== undefined && (
          <AccountForm shopId={shopId} account={open === 'new' ? undefined : open} onDone={close} />
        )}
      </FormDialog>
    </Card>
  )
}

function AccountLine(props: {
  shopId: string
  account: OperatedAccount
  onOpen: (account: OperatedAccount) => void
}) {
  const { shopId, account, onOpen } = props
  const { accounts: texts } = useTexts(operatorTexts)
  const { edit } = useTexts(common)
  const { language } = useLanguage()
  const unlinking = useAction({
    run: () =>
      dataOf(
        api.DELETE('/api/manage/v1/shops/{id}/official-accounts/{accountId}', {
          params: { path: { id: shopId, accountId: account._id } },
        }),
      ),
    stale: [accountsQuery(shopId).queryKey, ['official-accounts']],
  })
  const price = (vnd: number | null) => (vnd === null ? texts.noPrice : formatVnd(vnd, language))
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between">
        <div>
          <Text fw={500}>{account.name}</Text>
          <Text size="sm" c="dimmed">
            OA {account.oaId}
          </Text>
          <Text size="sm">
            {texts.price}: {price(account.price)}
          </Text>
          <Text size="sm">
            {texts.priceUID}: {price(account.priceUID)}
          </Text>
          <Text size="sm">
            {texts.chargeOn}: {texts.chargedWhen[account.chargeOn]}
          </Text>
        </div>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => onOpen(account)}>
            {edit}
          </Button>
          <ConfirmButton
            size="xs"
            question={texts.unlinkQuestion(account.name)}
            confirm={texts.unlink}
            onConfirm={() => unlinking.mutate(undefined)}
          >
            {texts.unlink}
          </ConfirmButton>
        </Group>
      </Group>
    </Paper>
  )
}
