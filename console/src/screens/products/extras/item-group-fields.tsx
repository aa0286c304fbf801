import { ActionIcon, Group, Paper, Stack, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconX } from '@tabler/icons-react'
import { MoneyInput } from '../../../components/forms/money-input.tsx'
import { WholeNumberInput } from '../../../components/forms/whole-number-input.tsx'
import { useSession } from '../../../shell/session.tsx'
import { useTexts } from '../../../texts/language.tsx'
import type { ProductFields } from '../product/product-values.ts'
import { AddButton } from './add-button.tsx'
import { freshItem } from './item-groups.ts'
import { subItemTexts } from './sub-item-texts.ts'

/** The fields of each group of extras. */
export function ItemGroupFields({ form }: { form: UseFormReturnType<ProductFields> }) {
  const texts = useTexts(subItemTexts)
  const { canWrite } = useSession()
  return (
    <>
      {form.values.subItemsGroups.map((group, at) => {
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
                <WholeNumberInput
                  label={texts.maxSelect}
                  w={110}
                  min={1}
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
                <AddButton
                  label={texts.addItem}
                  error={form.errors[`${path}.subItems`]}
                  onClick={() => {
                    form.clearFieldError(`${path}.subItems`)
                    form.insertListItem(`${path}.subItems`, freshItem())
                  }}
                />
              )}
            </Stack>
          </Paper>
        )
      })}
    </>
  )
}

function Remove({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <ActionIcon size={36} variant="subtle" color="gray" aria-label={label} onClick={onClick}>
      <IconX size={16} />
    </ActionIcon>
  )
}
