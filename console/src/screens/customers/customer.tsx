import { Anchor, Button, Grid, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { Customer } from '../../api/rows.ts'
import { FormDialog } from '../../components/forms/leave-question.tsx'
import { Card, Loaded, Page } from '../../components/page.tsx'
import { Money, When } from '../../components/values.tsx'
import { formatNumber, formatPhone } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { CustomerConsent } from './customer-consent.tsx'
import { CustomerForm } from './customer-form.tsx'
import { CustomerMessages } from './customer-messages.tsx'
import { CustomerOrders } from './customer-orders.tsx'
import { customerQuery, debtQuery } from './customer-queries.ts'
import { OpeningDebt } from './opening-debt.tsx'
import { PayDebt } from './pay-debt.tsx'
import { customerTexts } from './texts.ts'

/** One customer: orders, debt, messages and notes. */
export function CustomerPage() {
  const texts = useTexts(customerTexts)
  const { customerId } = useParams({ strict: false }) as { customerId: string }
  const { canWrite } = useSession()
  const customer = useQuery(customerQuery(customerId))
  const { data } = customer
  return (
    <Page
      title={data?.fullName ?? texts.one}
      code={data === undefined ? undefined : formatPhone(data.phone)}
      subtitle={data !== undefined && [formatPhone(data.phone), data.email].filter(Boolean).join(' · ')}
      actions={
        data !== undefined &&
        canWrite && (
          <>
            <EditButton customer={data} />
            <PayDebt customerId={customerId} />
          </>
        )
      }
    >
      <Loaded query={customer}>{(found) => <Parts customer={found} />}</Loaded>
    </Page>
  )
}

function Parts({ customer }: { customer: Customer }) {
  const texts = useTexts(customerTexts)
  const phone = formatPhone(customer.phone)
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 8 }} order={{ base: 2, md: 1 }}>
        <Stack>
          <Card title={texts.orders}>
            <CustomerOrders customerId={customer._id} />
          </Card>
          {customer.phone !== '' && (
            <Card title={texts.messages}>
              <CustomerMessages phone={customer.phone} />
            </Card>
          )}
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }} order={{ base: 1, md: 2 }}>
        <Stack>
          <Card title={texts.debt} term="debt">
            <Debt customerId={customer._id} />
          </Card>
          <Card title={texts.note}>
            {customer.note === '' ? (
              <Text c="dimmed">{texts.noNote}</Text>
            ) : (
              <Text style={{ whiteSpace: 'pre-wrap' }}>{customer.note}</Text>
            )}
          </Card>
          {phone !== '' && (
            <Card>
              <CustomerConsent phone={phone} />
            </Card>
          )}
        </Stack>
      </Grid.Col>
    </Grid>
  )
}

/** The debt, and the orders that it consists of. */
function Debt({ customerId }: { customerId: string }) {
  const texts = useTexts(customerTexts)
  const { language } = useLanguage()
  return (
    <Loaded query={useQuery(debtQuery(customerId))}>
      {({ debt, opening, orders, oldest }) =>
        debt === 0 ? (
          <Stack gap="xs">
            <Text c="dimmed">{texts.noDebt}</Text>
            <OpeningDebt customerId={customerId} opening={opening} />
          </Stack>
        ) : (
          <Stack gap="xs">
            <div>
              <Text fw={650} fz="xl">
                <Money vnd={debt} />
              </Text>
              {orders > 0 && (
                <Text size="sm" c="dimmed">
                  {texts.owedOrders(formatNumber(orders, language))}
                </Text>
              )}
            </div>
            <OpeningDebt customerId={customerId} opening={opening} />
            {oldest.map(({ _id, code, left, createdAt }) => (
              <Group key={_id} justify="space-between" gap="sm" wrap="nowrap">
                <span>
                  <Anchor component={Link} to={`/orders/${_id}`} size="sm">
                    {code}
                  </Anchor>{' '}
                  <Text span size="xs" c="dimmed">
                    <When at={createdAt} />
                  </Text>
                </span>
                <Money vnd={left} />
              </Group>
            ))}
            {orders > oldest.length && (
              <Group justify="space-between" gap="sm" wrap="nowrap">
                <Text span size="sm" c="dimmed">
                  {texts.moreOwed(formatNumber(orders - oldest.length, language))}
                </Text>
                <Money vnd={debt - (opening?.left ?? 0) - oldest.reduce((sum, { left }) => sum + left, 0)} />
              </Group>
            )}
          </Stack>
        )
      }
    </Loaded>
  )
}

function EditButton({ customer }: { customer: Customer }) {
  const texts = useTexts(customerTexts)
  const { edit } = useTexts(common)
  const [isOpen, dialog] = useDisclosure()
  return (
    <>
      <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={dialog.open}>
        {edit}
      </Button>
      <FormDialog opened={isOpen} onClose={dialog.close} title={texts.edit}>
        {isOpen && <CustomerForm customer={customer} onDone={dialog.close} />}
      </FormDialog>
    </>
  )
}
