import { Button, Group, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Shop } from '../../api/rows.ts'
import { BANKS } from '../../banks.ts'
import { useAction } from '../../components/actions.tsx'
import { useEdit } from '../../components/concurrent-edits/use-edit.ts'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { Select } from '../../components/forms/select/select.tsx'
import { Card, Loaded } from '../../components/page.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { SheetOnTable } from '../orders/receipt/receipt-preview.tsx'
import { PAPERS, type Paper } from '../orders/receipt/use-paper.ts'
import { orderTexts } from '../orders/texts.ts'
import { printTexts } from './print-texts.ts'
import { useShop } from './use-shop.ts'

/** What the counter prints, the account for transfers, and a preview of the receipt. */
export function PrintSettings() {
  const shop = useShop()
  return <Loaded query={shop}>{({ data }) => <PrintForm shop={data.shop} />}</Loaded>
}

const valuesOf = ({ address, phone, taxCode, printNote, printPaper, bank }: Shop) => ({
  address,
  phone,
  taxCode,
  printNote,
  printPaper: printPaper as Paper,
  bin: bank?.bin ?? '',
  number: bank?.number ?? '',
  holder: bank?.holder ?? '',
})

/** One or more phone numbers with their usual signs. */
const isPhone = (text: string) => /^[\d\s.()+/,;-]*$/.test(text) && text.replace(/\D/g, '').length >= 6
/** Of a company or a branch, or a household business, whose tax code is its owner's 12-digit identity number. */
const isTaxCode = (text: string) => /^(\d{10}(-?\d{3})?|\d{12})$/.test(text)

/** An account's number as the service takes it. */
const digitsOf = (number: string) => number.replace(/[\s.-]/g, '')

/** The account that was typed, once all of it is. */
function wholeBank({ bin, number, holder }: ReturnType<typeof valuesOf>) {
  const digits = digitsOf(number)
  return bin === '' || digits === '' || holder.trim() === '' ? null : { bin, number: digits, holder }
}

function PrintForm({ shop }: { shop: Shop }) {
  const texts = useTexts(printTexts)
  const { papers, paper: paperLabel } = useTexts(orderTexts)
  const { save } = useTexts(common)
  const form = useKeptForm('print', valuesOf(shop), {
    validate: {
      phone: (text) => (text.trim() === '' || isPhone(text) ? null : texts.wrongPhone),
      taxCode: (text) => (text.trim() === '' || isTaxCode(text.trim()) ? null : texts.wrongTaxCode),
    },
  })
  const params = { path: { id: shop._id } }
  const edit = useEdit({
    name: 'print',
    record: shop,
    valuesOf,
    read: async () => (await dataOf(api.GET('/api/manage/v1/shops/{id}', { params }))).data.shop,
    put: form.put,
    labels: { ...texts, printNote: texts.note, printPaper: paperLabel, bin: texts.bank },
    show: {
      printPaper: (paper) => papers[paper],
      bin: (bin) => BANKS[bin as keyof typeof BANKS] ?? bin,
    },
  })
  const saving = useAction({
    form,
    run: (values: typeof form.values) =>
      edit.save(values, async ({ bin, number, holder, ...others }, headers) => {
        const bank = bin === '' ? null : { bin, number: digitsOf(number), holder }
        const body = { ...others, bank }
        return (await dataOf(api.PATCH('/api/manage/v1/shops/{id}', { params, body, headers }))).data.shop
      }),
    stale: [['shop'], ['me'], ['operator']],
    done: texts.saved,
  })
  const hasBank = form.values.bin !== ''
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <Card>
        <form onSubmit={form.onSubmit((values) => saving.mutate(values))}>
          <Stack>
            <TextInput label={texts.address} maxLength={300} {...form.getInputProps('address')} />
            <Group grow align="flex-start">
              <TextInput label={texts.phone} maxLength={50} {...form.getInputProps('phone')} />
              <TextInput label={texts.taxCode} maxLength={20} {...form.getInputProps('taxCode')} />
            </Group>
            <Textarea
              label={texts.note}
              description={texts.noteHint}
              autosize
              minRows={2}
              maxLength={500}
              {...form.getInputProps('printNote')}
            />
            <Select
              label={paperLabel}
              allowDeselect={false}
              data={PAPERS.map((value) => ({ value, label: papers[value] }))}
              {...form.getInputProps('printPaper')}
            />
            <Select
              label={texts.bank}
              description={texts.bankHint}
              searchable
              clearable
              data={Object.entries(BANKS)
                .map(([value, label]) => ({ value, label }))
                .sort((a, b) => a.label.localeCompare(b.label))}
              value={form.values.bin === '' ? null : form.values.bin}
              error={form.errors['bank.bin']}
              onChange={(bin) => form.setFieldValue('bin', bin ?? '')}
            />
            {hasBank && (
              <Group grow align="flex-start">
                <TextInput
                  label={texts.number}
                  required
                  inputMode="numeric"
                  maxLength={30}
                  {...form.getInputProps('number')}
                  error={form.errors['bank.number']}
                />
                <TextInput
                  label={texts.holder}
                  required
                  maxLength={100}
                  {...form.getInputProps('holder')}
                  error={form.errors['bank.holder']}
                />
              </Group>
            )}
            <Group justify="flex-end">
              <Button type="submit" loading={saving.isPending}>
                {save}
              </Button>
            </Group>
          </Stack>
        </form>
      </Card>
      <Card title={texts.preview}>
        <Text size="sm" c="dimmed" mb="sm">
          {texts.previewHint}
        </Text>
        <SheetOnTable
          order={SAMPLE}
          cashier={texts.sampleCashier}
          paper={form.values.printPaper}
          typed={{ ...form.values, bank: wholeBank(form.values) }}
        />
      </Card>
    </SimpleGrid>
  )
}

const SAMPLE = {
  _id: 'sample',
  code: 'DH1024',
  createdAt: '2026-01-15T03:20:00.000Z',
  originPrice: 525_000,
  discount: 0,
  shippingFee: 0,
  price: 507_000,
  paidAmount: 0,
  user: { fullName: 'Nguyễn Thu Hà', phone: '84903433369' },
  orderItems: [
    { _id: '1', name: 'Trà sen Tây Hồ', quantity: 1, price: 180_000, discount: 18_000 },
    { _id: '2', name: 'Mứt gừng Huế', quantity: 3, price: 115_000, discount: 0 },
  ],
}
