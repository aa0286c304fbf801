import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Warehouse } from '../../api/rows.ts'
import { ConfirmButton, useAction } from '../../components/actions.tsx'
import { Badge } from '../../components/badge.tsx'
import { useEdit } from '../../components/concurrent-edits/use-edit.ts'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { FormDialog } from '../../components/forms/leave-question.tsx'
import { useSentOnce } from '../../components/forms/sent-once.ts'
import { type Column, DataTable } from '../../components/lists/data-table.tsx'
import { Card, Loaded, ProblemNote } from '../../components/page.tsx'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { warehousesQuery } from '../products/product-queries.ts'
import { warehouseTexts } from './warehouse-texts.ts'

const STALE = [['warehouses']]

/** The shop's warehouses, oldest first. A shop always has at least one, its default. */
export function Warehouses() {
  const texts = useTexts(warehouseTexts)
  const { canWrite } = useSession()
  const [open, setOpen] = useState<Warehouse | 'new'>()
  const warehouses = useQuery(warehousesQuery)
  const close = () => setOpen(undefined)
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed">{texts.hint}</Text>
        {canWrite && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
            {texts.add}
          </Button>
        )}
      </Group>
      <Loaded query={warehouses}>
        {(rows) => (
          <Card>
            <WarehouseTable warehouses={rows} onEdit={setOpen} />
          </Card>
        )}
      </Loaded>
      <FormDialog
        opened={open !== undefined}
        onClose={close}
        title={open === 'new' ? texts.add : texts.edit}
        closeOnClickOutside={false}
      >
        {open !== undefined && <WarehouseForm warehouse={open === 'new' ? undefined : open} onDone={close} />}
      </FormDialog>
    </Stack>
  )
}

function WarehouseTable(props: { warehouses: Warehouse[]; onEdit: (warehouse: Warehouse) => void }) {
  const texts = useTexts(warehouseTexts)
  const { canWrite } = useSession()
  const columns: Column<Warehouse>[] = [
    {
      title: texts.name,
      cell: ({ name, isDefault }) => (
        <Group gap="xs">
          <Text inherit fw={600}>
            {name}
          </Text>
          {isDefault && <Badge tone="good">{texts.isDefault}</Badge>}
        </Group>
      ),
    },
    { title: texts.address, cell: ({ address }) => address || '–' },
    {
      cell: (warehouse) =>
        canWrite && <WarehouseActions warehouse={warehouse} onEdit={() => props.onEdit(warehouse)} />,
    },
  ]
  return <DataTable columns={columns} rows={props.warehouses} keyOf={({ _id }) => _id} />
}

function WarehouseActions({ warehouse, onEdit }: { warehouse: Warehouse; onEdit: () => void }) {
  const texts = useTexts(warehouseTexts)
  const words = useTexts(common)
  const { _id, name, isDefault } = warehouse
  const params = { path: { id: _id } }
  const choosing = useAction({
    run: () => dataOf(api.PATCH('/api/external/v1/warehouses/{id}', { params, body: { isDefault: true } })),
    stale: STALE,
    done: texts.saved,
  })
  const deleting = useAction({
    run: () => dataOf(api.DELETE('/api/external/v1/warehouses/{id}', { params })),
    stale: STALE,
    done: texts.deleted,
  })
  return (
    <Group gap="xs" justify="flex-end">
      {!isDefault && (
        <ConfirmButton
          size="xs"
          color="cyan"
          variant="default"
          aria-label={texts.makeDefaultOf(name)}
          question={texts.defaultQuestion(name)}
          confirm={texts.makeDefault}
          loading={choosing.isPending}
          onConfirm={() => choosing.mutate(undefined)}
        >
          {texts.makeDefault}
        </ConfirmButton>
      )}
      <Button size="xs" variant="default" aria-label={texts.editOf(name)} onClick={onEdit}>
        {words.edit}
      </Button>
      {!isDefault && (
        <ConfirmButton
          size="xs"
          aria-label={texts.deleteOf(name)}
          question={texts.deleteQuestion(name)}
          loading={deleting.isPending}
          onConfirm={() => deleting.mutate(undefined)}
        >
          {words.delete}
        </ConfirmButton>
      )}
    </Group>
  )
}

function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase().normalize() === other.trim().toLowerCase().normalize()
}

const valuesOf = (warehouse: Warehouse | undefined) => ({
  name: warehouse?.name ?? '',
  address: warehouse?.address ?? '',
})

function WarehouseForm({ warehouse, onDone }: { warehouse: Warehouse | undefined; onDone: () => void }) {
  const texts = useTexts(warehouseTexts)
  const { save, create } = useTexts(common)
  const { shop } = useSession()
  const client = useQueryClient()
  const once = useSentOnce<ReturnType<typeof valuesOf>>(`warehouse ${shop?._id}`)
  const name = `warehouse ${warehouse?._id ?? 'new'}`
  const { data: all = [] } = useQuery(warehousesQuery)
  // The service allows equal names, but nobody could tell them apart.
  const isTaken = (typed: string) =>
    all.some(({ _id, name }) => _id !== warehouse?._id && isSameName(name, typed))
  const form = useKeptForm(name, valuesOf(warehouse), {
    // An earlier attempt may have created it already.
    validate: { name: (typed, all) => (isTaken(typed) && !once.isUnsure(all) ? texts.nameTaken : null) },
  })
  const edit = useEdit({
    name,
    record: warehouse,
    valuesOf,
    read: async () => {
      const all = await client.fetchQuery({ ...warehousesQuery, staleTime: 0 })
      return all.find(({ _id }) => _id === warehouse?._id)!
    },
    put: form.put,
    labels: { name: texts.name, address: texts.address },
  })
  const saving = useAction({
    form,
    run: async (values: typeof form.values) => {
      if (warehouse === undefined)
        return once.send(values, async (headers) => {
          const call = api.POST('/api/external/v1/warehouses', { body: values, headers })
          return (await dataOf(call)).data
        })
      const params = { path: { id: warehouse._id } }
      return edit.save(values, async (body, headers) => {
        const call = api.PATCH('/api/external/v1/warehouses/{id}', { params, body, headers })
        return (await dataOf(call)).data
      })
    },
    stale: STALE,
    done: texts.saved,
    quiet: true,
    onDone,
  })
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))}>
      <Stack>
        {saving.error !== null && <ProblemNote error={saving.error} />}
        <TextInput
          label={texts.name}
          required
          maxLength={200}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TextInput label={texts.address} maxLength={500} {...form.getInputProps('address')} />
        <Group justify="flex-end">
          <Button type="submit" loading={saving.isPending}>
            {warehouse === undefined ? create : save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
