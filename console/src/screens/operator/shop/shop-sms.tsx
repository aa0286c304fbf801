import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { ConfirmButton, useAction } from '../../../components/actions.tsx'
import { useEdit } from '../../../components/concurrent-edits/use-edit.ts'
import { useKeptForm } from '../../../components/forms/kept-form.ts'
import { FormDialog } from '../../../components/forms/leave-question.tsx'
import { MoneyInput } from '../../../components/forms/money-input.tsx'
import { Card, Loaded, ProblemNote } from '../../../components/page.tsx'
import { formatVnd } from '../../../format.ts'
import { Explained } from '../../../help/whats-this.tsx'
import { common } from '../../../texts/common.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { operatorTexts } from '../texts.ts'
import { type Edited, readSender, senderQuery } from './queries.ts'

/** The shop's SMS sender and the price of an SMS (G-90). The keys are never shown. */
export function ShopSms({ shopId }: { shopId: string }) {
  const { sms: texts } = useTexts(operatorTexts)
  const { language } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const read = useQuery(senderQuery(shopId))
  const removing = useAction({
    run: () => dataOf(api.DELETE('/api/manage/v1/shops/{id}/sms', { params: { path: { id: shopId } } })),
    stale: [senderQuery(shopId).queryKey],
  })
  return (
    <Card title={texts.title} term="smsFallback">
      <Loaded query={read}>
        {({ sender, edited }) => (
          <Stack align="flex-start">
            <Text size="sm">{texts.hint}</Text>
            {sender !== null && (
              <Text>
                <b>{sender.brandname}</b> · eSMS · {texts.price}: {formatVnd(sender.price, language)}
              </Text>
            )}
            <Group gap="xs">
              <Button size="xs" variant="default" onClick={() => setOpen(true)}>
                {sender === null ? texts.set : texts.change}
              </Button>
              {sender !== null && (
                <ConfirmButton
                  size="xs"
                  question={texts.removeQuestion}
                  confirm={texts.remove}
                  onConfirm={() => removing.mutate(undefined)}
                >
                  {texts.remove}
                </ConfirmButton>
              )}
            </Group>
            <FormDialog
              opened={isOpen}
              onClose={() => setOpen(false)}
              title={sender === null ? texts.set : texts.change}
              closeOnClickOutside={false}
            >
              {isOpen && (
                <SenderForm
                  shopId={shopId}
                  edited={edited}
                  isNew={sender === null}
                  onDone={() => setOpen(false)}
                />
              )}
            </FormDialog>
          </Stack>
        )}
      </Loaded>
    </Card>
  )
}

const KEYS = ['apiKey', 'secretKey'] as const

/** The form's values; keys are never read, so their fields begin empty. */
function valuesOf({ brandname, price }: Edited) {
  return { brandname, price, apiKey: '', secretKey: '' }
}

/** A key is never shown, not even the typed one. */
const hidden = (key: string) => (key === '' ? '' : '••••••')

function SenderForm(props: { shopId: string; edited: Edited; isNew: boolean; onDone: () => void }) {
  const { shopId, edited, isNew, onDone } = props
  const { sms: texts } = useTexts(operatorTexts)
  const { save } = useTexts(common)
  const path = { params: { path: { id: shopId } } }
  const stale = [senderQuery(shopId).queryKey]
  const form = useKeptForm('sms sender', valuesOf(edited), { isSecret: true })
  const edit = useEdit({
    name: 'sms sender',
    record: edited,
    valuesOf,
    read: async () => (await readSender(shopId)).edited,
    put: form.put,
    labels: texts,
    show: { apiKey: hidden, secretKey: hidden },
  })
  const saving = useAction({
    form,
    run: (values: typeof form.values) =>
      edit.save(values, async ({ brandname, price, ...keys }, headers) => {
        const given = Object.fromEntries(Object.entries(keys).filter(([, key]) => key !== ''))
        const body = { provider: 'esms' as const, brandname, price: price ?? 0, ...given }
        return (await dataOf(api.PUT('/api/manage/v1/shops/{id}/sms', { ...path, headers, body }))).data
      }),
    stale,
    done: texts.saved,
    quiet: true,
    onDone,
  })
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))} autoComplete="off">
      <Stack>
        {saving.error !== null && <ProblemNote error={saving.error} />}
        <Explained term="brandname" of={texts.brandname}>
          <TextInput
            label={texts.brandname}
            description={texts.brandnameHint}
            required
            maxLength={30}
            data-autofocus
            {...form.getInputProps('brandname')}
          />
        </Explained>
        <MoneyInput
          label={texts.price}
          description={texts.priceHint}
          required
          {...form.getInputProps('price')}
        />
        {KEYS.map((key) => (
          <PasswordInput
            key={key}
            label={texts[key]}
            description={isNew ? texts.notStored : texts.stored}
            required={isNew}
            autoComplete="new-password"
            {...form.getInputProps(key)}
          />
        ))}
        <Group justify="flex-end">
          <Button type="submit" loading={saving.isPending}>
            {save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
