import { Button, Group, NumberInput, PasswordInput, Stack, TextInput } from '@mantine/core'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import type { OperatedAccount } from '../../../api/rows.ts'
import { useAction } from '../../../components/actions.tsx'
import { useKeptForm } from '../../../components/forms/kept-form.ts'
import { Select } from '../../../components/forms/select/select.tsx'
import { ProblemNote } from '../../../components/page.tsx'
import { common } from '../../../texts/common.ts'
import { useTexts } from '../../../texts/language.tsx'
import { operatorTexts } from '../texts.ts'

const SECRETS = ['secretKey', 'accessToken', 'refreshToken'] as const

/** Links an account, or changes the given one. An empty credential keeps its value; an empty price is removed. */
export function AccountForm(props: {
  shopId: string
  account: OperatedAccount | undefined
  onDone: () => void
}) {
  const { shopId, account, onDone } = props
  const { accounts: texts } = useTexts(operatorTexts)
  const { save } = useTexts(common)
  const stored = {
    secretKey: account?.hasSecretKey ?? false,
    accessToken: account?.hasAccessToken ?? false,
    refreshToken: account?.hasRefreshToken ?? false,
  }
  const form = useKeptForm(
    `account ${account?._id ?? 'new'}`,
    {
      oaId: account?.oaId ?? '',
      name: account?.name ?? '',
      appId: account?.appId ?? '',
      price: (account?.price ?? '') as number | string,
      priceUID: (account?.priceUID ?? '') as number | string,
      chargeOn: (account?.chargeOn ?? 'accepted') as OperatedAccount['chargeOn'],
      secretKey: '',
      accessToken: '',
      refreshToken: '',
    },
    { isSecret: true },
  )
  const saving = useAction({
    form,
    run: async ({ oaId, name, appId, price, priceUID, chargeOn, ...secrets }: typeof form.values) => {
      const given = Object.fromEntries(Object.entries(secrets).filter(([, secret]) => secret !== ''))
      if (account === undefined)
        return dataOf(
          api.POST('/api/manage/v1/shops/{id}/official-accounts', {
            params: { path: { id: shopId } },
            body: { oaId, name, ...(appId === '' ? {} : { appId }), ...given },
          }),
        )
      return dataOf(
        api.PATCH('/api/manage/v1/shops/{id}/official-accounts/{accountId}', {
          params: { path: { id: shopId, accountId: account._id } },
          body: {
            name,
            appId: appId === '' ? null : appId,
            price: typeof price === 'number' ? price : null,
            priceUID: typeof priceUID === 'number' ? priceUID : null,
            chargeOn,
            ...given,
          },
        }),
      )
    },
    stale: [['operator', 'accounts', shopId], ['official-accounts']],
    done: texts.saved,
    quiet: true,
    onDone,
  })
  const submit = form.onSubmit((values) => saving.mutate(values))
  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack>
        {saving.error !== null && <ProblemNote error={saving.error} />}
        <TextInput
          label={texts.oaId}
          required
          disabled={account !== undefined}
          {...form.getInputProps('oaId')}
        />
        <TextInput label={texts.name} required {...form.getInputProps('name')} />
        <TextInput label={texts.appId} {...form.getInputProps('appId')} />
        {SECRETS.map((secret) => (
          <PasswordInput
            key={secret}
            label={texts[secret]}
            description={stored[secret] ? texts.stored : texts.notStored}
            autoComplete="new-password"
            {...form.getInputProps(secret)}
          />
        ))}
        {account !== undefined &&
          (['price', 'priceUID'] as const).map((price) => (
            <NumberInput
              key={price}
              label={texts[price]}
              description={texts.priceHint}
              min={0}
              allowDecimal={false}
              thousandSeparator="."
              decimalSeparator=","
              suffix=" ₫"
              {...form.getInputProps(price)}
            />
          ))}
        {account !== undefined && (
          <Select
            label={texts.chargeOn}
            description={texts.chargeOnHint}
            data={(['accepted', 'delivered'] as const).map((value) => ({
              value,
              label: texts.chargedWhen[value],
            }))}
            allowDeselect={false}
            {...form.getInputProps('chargeOn')}
          />
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={saving.isPending}>
            {save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
