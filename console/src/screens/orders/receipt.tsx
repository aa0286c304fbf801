import { Table } from '@mantine/core'
import { Money, When } from '../../components/values.tsx'
import { formatPhone } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import type { Order } from './order-queries.ts'
import { sumsOf } from './order-sums.ts'
import classes from './receipt.module.css'
import { orderTexts } from './texts.ts'

/** An order for a receipt printer: nothing else of the page is printed. `givenVnd`: the cash handed over, when known. */
export function Receipt({ order, givenVnd }: { order: Order; givenVnd?: number | undefined }) {
  const texts = useTexts(orderTexts)
  const { shop } = useSession()
  const goods = order.price - order.shippingFee
  return (
    <section className={`print-only ${classes.receipt}`} aria-label={texts.receipt}>
      <h2>{shop?.name}</h2>
      <p>
        {texts.receipt} {order.code}
        <br />
        <When at={order.createdAt} />
      </p>
      {order.user !== null && (
        <p>
          {order.user.fullName} {formatPhone(order.user.phone)}
        </p>
      )}
      <Table withRowBorders={false} verticalSpacing={2} horizontalSpacing={0}>
        <Table.Tbody>
          {order.orderItems.map((item) => (
            <Table.Tr key={item._id}>
              <Table.Td>
                {item.name}
                <br />
                {item.quantity} × <Money vnd={item.price} />
                {item.discount > 0 && (
                  <>
                    {' − '}
                    <Money vnd={item.discount} />
                  </>
                )}
              </Table.Td>
              <Table.Td className="num">
                <Money vnd={item.quantity * item.price - item.discount} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Table withRowBorders={false} verticalSpacing={2} horizontalSpacing={0} className={classes.sums}>
        <Table.Tbody>
          {sumsOf(order).map(({ label, vnd }) => (
            <Sum key={label} label={texts[label]} vnd={vnd} />
          ))}
          <Sum label={texts.total} vnd={order.price} isStrong />
          {order.untaxedPrice !== undefined && (
            <Sum label={texts.vatIncluded} vnd={goods - order.untaxedPrice} />
          )}
          {givenVnd === undefined ? (
            <Sum label={texts.paid} vnd={order.paidAmount} />
          ) : (
            <>
              <Sum label={texts.given} vnd={givenVnd} />
              <Sum label={texts.change} vnd={givenVnd - order.price} />
            </>
          )}
        </Table.Tbody>
      </Table>
      <p>{texts.thanks}</p>
    </section>
  )
}

function Sum({ label, vnd, isStrong }: { label: string; vnd: number; isStrong?: boolean }) {
  return (
    <Table.Tr fw={isStrong ? 700 : undefined}>
      <Table.Td>{label}</Table.Td>
      <Table.Td className="num">
        <Money vnd={vnd} />
      </Table.Td>
    </Table.Tr>
  )
}
