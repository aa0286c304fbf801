import { ActionIcon, Button, Group, Menu, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useAction } from '../../components/actions.tsx'
import { useTexts } from '../../texts/language.tsx'
import type { Order } from './order-queries.ts'
import { isCancellable, type Status, statusesAfter } from './order-values.tsx'
import { orderTexts } from './texts.ts'

/** On to the next status with one press, further ones in the menu; cancelling asks for the reason. */
export function StatusActions({ order }: { order: Order }) {
  const texts = useTexts(orderTexts)
  const [isCancelling, cancelling] = useDisclosure()
  const moving = useAction({
    run: (body: { status: Status; reasonCancel?: string }) =>
      dataOf(api.PATCH('/api/external/v1/orders/{id}/status', { params: { path: { id: order._id } }, body })),
    stale: [['orders'], ['products']],
    done: texts.moved,
    onDone: cancelling.close,
  })
  const [next, ...others] = statusesAfter(order.status)
  return (
    <Group gap="xs">
      {isCancellable(order.status) && (
        <Button variant="light" color="red" onClick={cancelling.open}>
          {texts.cancel}
        </Button>
      )}
      {next !== undefined && (
        <Button.Group>
          <Button loading={moving.isPending} onClick={() => moving.mutate({ status: next })}>
            {texts.moveTo[next]}
          </Button>
          {others.length > 0 && (
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon
                  size={36}
                  aria-label={texts.otherStatus}
                  style={{ borderStartStartRadius: 0, borderEndStartRadius: 0 }}
                >
                  <IconChevronDown size={16} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                {others.map((status) => (
                  <Menu.Item key={status} onClick={() => moving.mutate({ status })}>
                    {texts.statuses[status]}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          )}
        </Button.Group>
      )}
      <Modal opened={isCancelling} onClose={cancelling.close} title={texts.cancelTitle(order.code)}>
        <CancelForm
          isBusy={moving.isPending}
          onKeep={cancelling.close}
          onCancel={(reasonCancel) => moving.mutate({ status: 'cancelled', reasonCancel })}
        />
      </Modal>
    </Group>
  )
}

function CancelForm(props: { isBusy: boolean; onKeep: () => void; onCancel: (reason: string) => void }) {
  const texts = useTexts(orderTexts)
  const [reason, setReason] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        props.onCancel(reason)
      }}
    >
      <Stack>
        <Text size="sm">{texts.cancelHint}</Text>
        <Textarea
          label={texts.reason}
          data-autofocus
          autosize
          minRows={2}
          maxLength={1000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onKeep}>
            {texts.keep}
          </Button>
          <Button type="submit" color="red" loading={props.isBusy}>
            {texts.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
