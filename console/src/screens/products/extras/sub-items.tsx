import { ActionIcon, Button, Group, NumberInput, Paper, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { useAction } from '../../../components/actions.tsx'
import { useEdit } from '../../../components/edits/use-edit.ts'
import { useKeptForm } from '../../../components/forms/kept-form.ts'
import { MoneyInput } from '../../../components/forms/money-input.tsx'
import { Card, ProblemNote } from '../../../components/page.tsx'
import { formatVnd } from '../../../format.ts'
import { useSession } from '../../../shell/session.tsx'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { type Product, readProduct } from '../product-queries.ts'
import { newId } from '../variants/variant-rows.ts'
import { subItemTexts } from './sub-item-texts.ts'

/** `key` is the row's own; `_id` is the service's, which keeps existing records. */
type Item = { key: string; _id?: string; name: string; price: number | null }
type ItemGroup = {
  key: string
  _id?: string
  name: string
  isRequired: boolean
  maxSelect: number | string
  subItems: Item[]
}

const freshItem = (): Item => ({ key: newId(), name: '', price: 0 })
const freshGroup = (): ItemGroup => ({
  key: newId(),
  name: '',
  isRequired: false,
  maxSelect: 1,
  subItems: [freshItem()],
})

/** The extras that a customer may or must choose, in groups; saved as a whole. */
export function SubItems({ product }: { product: Product }) {
  const texts = useTexts(subItemTexts)
  const { canWrite } = useSession()
  const { language } = useLanguage()
  const form = useKeptForm<{ subItemsGroups: ItemGroup[] }>('extras', { subItemsGroups: groupsOf(product) })
  const groups = form.values.subItemsGroups
  const edit = useEdit({
    name: 'extras',
    record: product,
    valuesOf: (one: Extended) => ({ subItemsGroups: groupsOf(one) }),
    read: () => readProduct(product._id),
    put: form.put,
    labels: { subItemsGroups: texts.title },
    show: { subItemsGroups: (list) => list.map(lineOf).join('\n') },
    essence: { subItemsGroups: (list) => list.map(withoutIds) },
  })
  const lineOf = ({ name, subItems }: ItemGroup) =>
    `${name}: ${subItems.map((item) => `${item.name} ${formatVnd(item.price ?? 0, language)}`).join(', ')}`
  const saving = useAction({
    form,
    run: () =>
      edit.save(form.values, async (mine, headers) => {
        const params = { path: { id: product._id } }
        const body = { subItemsGroups: mine.subItemsGroups.map(sentGroup) }
        const call = api.PUT('/api/external/v1/products/{id}/sub-items-groups', { params, body, headers })
        return (await dataOf(call)).data
      }),
    stale: [['products']],
    done: texts.saved,
    quiet: true,
    onDone: (data) => {
      const stored = { subItemsGroups: groupsOf(data) }
      form.setValues(stored)
      form.saved(stored)
    },
  })

  return (
    <Card title={texts.title}>
      <form onSubmit={form.onSubmit(() => saving.mutate(undefined))}>
        <Stack>
          {saving.error !== null && <ProblemNote error={saving.error} />}
          <Text size="sm" c="dimmed">
            {groups.length === 0 ? `${texts.none} ${texts.hint}` : texts.hint}
          </Text>
          {groups.map((group, at) => {
            const path = `subItemsGroups.${at}`
            return (
              <Paper key={group.key} withBorder p="sm">
                <Stack gap="sm">
                  <Group align="flex-end" gap="sm">
                    <TextInput
                      label={texts.group}
                      required
                      flex="1 1 200px"
                      disabled={!canWrite}
                      {...form.getInputProps(`${path}.name`)}
                    />
                    <NumberInput
                      label={texts.maxSelect}
                      w={110}
                      min={1}
                      allowDecimal={false}
                      disabled={!canWrite}
                      {...form.getInputProps(`${path}.maxSelect`)}
                    />
                    {canWrite && (
                      <Remove
                        label={texts.removeGroup(group.name)}
                        onClick={() => form.removeListItem('subItemsGroups', at)}
                      />
                    )}
                  </Group>
                  <Switch
                    label={texts.isRequired}
                    disabled={!canWrite}
                    {...form.getInputProps(`${path}.isRequired`, { type: 'checkbox' })}
                  />
                  {group.subItems.map((item, place) => (
                    <Group key={item.key} align="flex-end" gap="sm" wrap="nowrap">
                      <TextInput
                        label={texts.item}
                        required
                        flex={1}
                        disabled={!canWrite}
                        {...form.getInputProps(`${path}.subItems.${place}.name`)}
                      />
                      <MoneyInput
                        label={texts.price}
                        w={130}
                        disabled={!canWrite}
                        {...form.getInputProps(`${path}.subItems.${place}.price`)}
                      />
                      {canWrite && (
                        <Remove
                          label={texts.removeItem(item.name)}
                          onClick={() => form.removeListItem(`${path}.subItems`, place)}
                        />
                      )}
                    </Group>
                  ))}
                  {canWrite && (
                    <Add
                      label={texts.addItem}
                      onClick={() => form.insertListItem(`${path}.subItems`, freshItem())}
                    />
                  )}
                </Stack>
              </Paper>
            )
          })}
          {canWrite && (
            <Group justify="space-between">
              <Add
                label={texts.addGroup}
                onClick={() => form.insertListItem('subItemsGroups', freshGroup())}
              />
              <Button type="submit" loading={saving.isPending}>
                {texts.save}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Card>
  )
}

function Add({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button
      variant="default"
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={onClick}
      style={{ alignSelf: 'flex-start' }}
    >
      {label}
    </Button>
  )
}

function Remove({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <ActionIcon size={36} variant="subtle" color="gray" aria-label={label} onClick={onClick}>
      <IconX size={16} />
    </ActionIcon>
  )
}

type Extended = Pick<Product, '__v' | 'subItemsGroups'>

/** What of a group is compared: ids are given anew to what is sent without. */
function withoutIds({ name, isRequired, maxSelect, subItems }: ItemGroup) {
  return [name, isRequired, Number(maxSelect), subItems.map((item) => [item.name, item.price])]
}

function groupsOf({ subItemsGroups = [] }: Pick<Product, 'subItemsGroups'>): ItemGroup[] {
  return subItemsGroups.map((group) => ({
    ...group,
    key: group._id,
    subItems: group.subItems.map((item) => ({ ...item, key: item._id })),
  }))
}

function sentGroup({ key: _, subItems, maxSelect, ...group }: ItemGroup) {
  return {
    ...group,
    maxSelect: Number(maxSelect) || 1,
    subItems: subItems.map(({ key: __, price, ...item }) => ({ ...item, price: price ?? 0 })),
  }
}
