import type { Profile } from '../../../api/session.ts'
import { Money, When } from '../../../components/values.tsx'
import { formatPhone } from '../../../format.ts'
import { useSession } from '../../../shell/session.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { leftToPay, netOf, owedToCustomer, vatOf } from '../order-price.ts'
import type { ReceiptOrder } from '../order-queries.ts'
import { sumsOf } from '../order-sums.ts'
import { orderTexts } from '../texts.ts'
import classes from './receipt.module.css'
import { TransferCode } from './transfer-code.tsx'
import { type Paper, usePaper } from './use-paper.ts'

type Printed = {
  order: ReceiptOrder
  /** The cash given and the change, when known. */
  cash?: { given: number; change: number } | undefined
  /** The seller, when known. */
  cashier: string | undefined
}

/** The printed receipt of an order. The rest of the page is not printed. */
export function Receipt(props: Printed) {
  const texts = useTexts(orderTexts)
  const [paper] = usePaper()
  return (
    <section className={`print-only ${classes.printed}`} data-paper={paper} aria-label={texts.receipt}>
      <ReceiptSheet {...props} paper={paper} />
    </section>
  )
}

type Sheet = Printed & {
  paper: Paper
  /** The shop’s data as typed in the settings, in place of the saved data. */
  typed?: Omit<Profile, 'printPaper'>
}

/** An order in the form of a receipt. */
export function ReceiptSheet({ order, cash, cashier, paper, typed }: Sheet) {
  const texts = useTexts(orderTexts)
  const { shop } = useSession()
  const owed = leftToPay(order)
  const toPayBack = owedToCustomer(order)
  const profile = typed ?? shop?.profile
  const heads = [
    profile?.address,
    profile?.phone && `${texts.shopPhone} ${profile.phone}`,
    profile?.taxCode && `${texts.taxCode} ${profile.taxCode}`,
  ].filter(Boolean)
  return (
    <div className={classes.receipt} data-paper={paper}>
      <h2>{shop?.name}</h2>
      {heads.length > 0 && (
        <p>
          {heads.map((head) => (
            <span key={head}>
              {head}
              <br />
            </span>
          ))}
        </p>
      )}
      <p>
        <strong>
          {texts.receipt} {order.code}
        </strong>
        <br />
        <When at={order.createdAt} />
        {cashier !== undefined && (
          <>
            <br />
            {texts.cashier}: {cashier}
          </>
        )}
      </p>
      {order.user !== null && (
        <p>
          {order.user.fullName} {formatPhone(order.user.phone)}
        </p>
      )}
      <table>
        <tbody>
          {order.orderItems.map((item) => (
            <tr key={item._id}>
              <td>
                {item.name}
                <br />
                {item.quantity} × <Money vnd={item.price} />
                {item.discount > 0 && (
                  <>
                    {' − '}
                    <Money vnd={item.discount} />
                  </>
                )}
              </td>
              <td className="num">
                <Money vnd={item.quantity * item.price - item.discount} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <table className={classes.sums}>
        <tbody>
          {sumsOf(order).map(({ label, vnd }) => (
            <Sum key={label} label={texts[label]} vnd={vnd} />
          ))}
          <Sum label={texts.total} vnd={order.price} isStrong />
          {vatOf(order) !== 0 && <Sum label={texts.vatIncluded} vnd={vatOf(order)} />}
          {order.returnedAmount !== undefined && (
            <>
              <Sum label={texts.returnedGoods} vnd={-order.returnedAmount} />
              <Sum label={texts.netTotal} vnd={netOf(order)} isStrong />
            </>
          )}
          {(cash === undefined || owed > 0) && <Sum label={texts.paid} vnd={order.paidAmount} />}
          {cash !== undefined && (
            <>
              <Sum label={texts.given} vnd={cash.given} />
              <Sum label={texts.change} vnd={cash.change} />
            </>
          )}
          {owed > 0 && <Sum label={texts.owed} vnd={owed} isStrong />}
          {toPayBack > 0 && <Sum label={texts.toPayBack} vnd={toPayBack} isStrong />}
        </tbody>
      </table>
      {owed > 0 && (
        <div className={classes.code}>
          <TransferCode
            vnd={owed}
            reference={order.code}
            size={paper === '58' ? '22mm' : '28mm'}
            bank={typed?.bank}
          />
        </div>
      )}
      <p className={classes.note}>{profile?.printNote || texts.thanks}</p>
    </div>
  )
}

function Sum({ label, vnd, isStrong }: { label: string; vnd: number; isStrong?: boolean }) {
  return (
    <tr data-strong={isStrong}>
      <td>{label}</td>
      <td className="num">
        <Money vnd={vnd} />
      </td>
    </tr>
  )
}
