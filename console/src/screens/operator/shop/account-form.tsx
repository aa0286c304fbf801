import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import type { OperatedAccount } from '../../../api/rows.ts'
import { useAction } from '../../../components/actions.tsx'
import { type IfMatch, useEdit } from '../../../components/concurrent-edits/use-edit.ts'
import { useKeptForm } from '../../../components/forms/kept-form.ts'
import { MoneyInput } from '../../../components/forms/money-input.tsx'
import { Select } from '../../../components/forms/select/select.tsx'
import { ProblemNote } from '../../../components/page.tsx'
import { Explained } from '../../../help/whats-this.tsx'
import { common } from '../../../texts/common.ts'
import { useTexts } from '../../../texts/language.tsx'
import { operatorTexts } from '../texts.ts'
import { accountsQuery } from './queries.ts'

const SECRETS = ['secretKey', 'accessToken', 'refreshToken'] as const

/** The form's values; credentials are never read, so their fields begin empty. */
function valuesOf(account: OperatedAccount | undefined) {
  return {
    oaId: account?.oaId ?? '',
    name: account?.name ?? '',
    appId: account?.appId ?? '',
    price: account?.price ?? null,
    priceUID: account?.priceUID ?? null,
    chargeOn: account?.chargeOn ?? 'accepted',
    secretKey: '',
    accessToken: '',
    refreshToken: '',
  }
}

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
  const name = `account ${account?._id ?? 'new'}`
  const form = useKeptForm(name, valuesOf(account), { isSecret: true })
  const edit = useEdit({
    name,
    record: account,
    valuesOf,
    read: async () => {
      const params = { path: { id: shopId }, query: { ids: account?._id ?? '' } }
      return (await dataOf(api.GET('/api/manage/v1/shops/{id}/official-accounts', { params }))).data[0]!
    },
    put: form.put,
    labels: texts,
    show: {
      secretKey: hidden,
      accessToken: hidden,
      refreshToken: hidden,
      chargeOn: (when) => texts.chargedWhen[when],
    },
  })
  const saving = useAction({
    form,
    run: (values: typeof form.values) =>
      account === undefined ? link(shopId, values) : edit.save(values, change(shopId, account._id)),
    stale: [accountsQuery(shopId).queryKey, ['official-accounts']],
    done: texts.saved,
    quiet: true,
    onDone,
  })
  const submit = form.onSubmit((values) => saving.mutate(values))
  const secretField = (secret: (typeof SECRETS)[number]) => (
    <PasswordInput
      label={texts[secret]}
      description={stored[secret] ? texts.stored : texts.notStored}
      autoComplete="new-password"
      {...form.getInputProps(secret)}
    />
  )
  const priceField = (price: 'price' | 'priceUID') => (
    <MoneyInput label={texts[price]} description={texts.priceHint} {...form.getInputProps(price)} />
  )
  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack>
        {saving.error !== null && <ProblemNote error={saving.error} />}
        <TextInput
          label={texts.oaId}
          required
          data-autofocus={account === undefined || undefined}
          disabled={account !== undefined}
          {...form.getInputProps('oaId')}
        />
        <TextInput
          label={texts.name}
          required
          data-autofocus={account !== undefined || undefined}
          {...form.getInputProps('name')}
        />
        <TextInput label={texts.appId} {...form.getInputProps('appId')} />
        {secretField('secretKey')}
        <Explained term="token" of={texts.accessToken}>
          {secretField('accessToken')}
        </Explained>
        {secretField('refreshToken')}
        {account !== undefined && (
          <>
            {priceField('price')}
            <Explained term="uid" of={texts.priceUID}>
              {priceField('priceUID')}
            </Explained>
          </>
        )}
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

type Values = ReturnType<typeof valuesOf>

/** A credential is never shown, not even the typed one. */
const hidden = (secret: string) => (secret === '' ? '' : '••••••')

async function link(shopId: string, { oaId, name, appId, ...rest }: Values): Promise<OperatedAccount> {
  const call = api.POST('/api/manage/v1/shops/{id}/official-accounts', {
    params: { path: { id: shopId } },
    body: { oaId, name, ...(appId === '' ? {} : { appId }), ...givenSecrets(rest) },
  })
  return (await dataOf(call)).data
}

function change(shopId: string, accountId: string) {
  return async (
    { name, appId, price, priceUID, chargeOn, ...rest }: Values,
    headers: IfMatch,
  ): Promise<OperatedAccount> => {
    const call = api.PATCH('/api/manage/v1/shops/{id}/official-accounts/{accountId}', {
      params: { path: { id: shopId, accountId } },
      headers,
      body: {
        name,
        appId: appId === '' ? null : appId,
        price,
        priceUID,
        chargeOn,
        ...givenSecrets(rest),
      },
    })
    return (await dataOf(call)).data
  }
}

function givenSecrets(values: Pick<Values, (typeof SECRETS)[number]>) {
  return Object.fromEntries(
    SECRETS.filter((secret) => values[secret] !== '').map((secret) => [secret, values[secret]]),
  )
}
