import { Text } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Overview } from '../../api/rows.ts'
import { Badge } from '../../components/badge.tsx'
import { Initials } from '../../components/initials.tsx'
import { Card } from '../../components/page.tsx'
import { Thumbnail } from '../../components/thumbnail.tsx'
import { formatNumber, formatVnd } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { daysOf, LOW_STOCK, soldBy, withProduct } from './addresses.ts'
import classes from './overview.module.css'
import { overviewTexts } from './texts.ts'

const SHOWN = 5

/** One line of a ranking: a picture, a name, a note and a number. The whole line is a link. */
function Line(props: { to: string; picture: ReactNode; name: string; hint: string; children: ReactNode }) {
  return (
    <li>
      <Link to={props.to}>
        {props.picture}
        <span className={classes.what}>
          <span className={classes.whatName}>{props.name}</span>
          <small>{props.hint}</small>
        </span>
        {props.children}
      </Link>
    </li>
  )
}

function Nothing({ children }: { children: ReactNode }) {
  return <Text c="dimmed">{children}</Text>
}

/** The products with the most pieces sold. */
export function TopGoods({ overview }: { overview: Overview }) {
  const texts = useTexts(overviewTexts)
  const { language } = useLanguage()
  const { goods, since, isCut, orders } = overview.topGoods
  const most = goods[0]?.quantity ?? 1
  const count = (value: number) => formatNumber(value, language)
  return (
    <Card title={isCut ? texts.topGoodsOf(count(orders)) : texts.topGoods}>
      {goods.length === 0 ? (
        <Nothing>{texts.nothingSold}</Nothing>
      ) : (
        <ol className={classes.todo}>
          {goods.map((one) => (
            <Line
              key={one._id}
              to={withProduct(daysOf(overview), isCut ? since : null, one)}
              picture={<Thumbnail address={one.image ?? undefined} />}
              name={one.name}
              hint={texts.inOrders(count(one.quantity), count(one.orders))}
            >
              <span className={classes.bar} aria-hidden>
                <i style={{ width: `${(100 * one.quantity) / most}%` }} />
              </span>
            </Line>
          ))}
        </ol>
      )}
    </Card>
  )
}

/** Products with few available pieces, the fewest first. */
export function LowStock({ overview }: { overview: Overview }) {
  const texts = useTexts(overviewTexts)
  const { language } = useLanguage()
  const { first, products, isCut, atMost } = overview.lowStock
  const count = formatNumber(products, language)
  return (
    <Card
      title={texts.lowStock}
      term="lowStock"
      actions={
        products > 0 && (
          <Link to={LOW_STOCK} className={classes.open}>
            {texts.allLow(isCut ? `${count}+` : count)}
          </Link>
        )
      }
    >
      {first.length === 0 ? (
        <Nothing>{texts.nothingLow(formatNumber(atMost, language))}</Nothing>
      ) : (
        <ul className={classes.todo}>
          {first.map(({ _id, name, image, available }) => (
            <li key={_id}>
              <Link to={`/products/${_id}`}>
                <Thumbnail address={image ?? undefined} />
                <span className={classes.what}>
                  <span className={classes.whatName}>{name}</span>
                </span>
                <Badge tone={available <= 0 ? 'bad' : 'warn'}>
                  {available <= 0 ? texts.soldOut : texts.left(formatNumber(available, language))}
                </Badge>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** Sales by seller. A last line sums up everybody else, so that the lines add up to the total, and lists them when opened. */
export function Sellers({ overview }: { overview: Overview }) {
  const texts = useTexts(overviewTexts)
  const { language } = useLanguage()
  const count = (value: number) => formatNumber(value, language)
  const rest = overview.sellers.slice(SHOWN)
  const sum = (of: 'orders' | 'revenue') => rest.reduce((total, seller) => total + seller[of], 0)
  const line = (seller: Overview['sellers'][number]) => {
    const name = seller.by?.name ?? (seller.soldBy === null ? texts.noSeller : texts.goneSeller)
    return (
      <Line
        key={seller.soldBy ?? ''}
        to={soldBy(daysOf(overview), seller)}
        picture={<Initials name={seller.by?.name ?? '?'} />}
        name={name}
        hint={texts.ordersOf(count(seller.orders))}
      >
        <b>{formatVnd(seller.revenue, language)}</b>
      </Line>
    )
  }
  return (
    <Card title={texts.bySeller}>
      {overview.sellers.length === 0 ? (
        <Nothing>{texts.nothingSold}</Nothing>
      ) : (
        <ol className={classes.todo}>
          {overview.sellers.slice(0, SHOWN).map(line)}
          {rest.length > 0 && (
            <li>
              <details className={classes.rest}>
                <summary>
                  <IconChevronDown size={14} aria-hidden />
                  <span>{texts.otherSellers(count(rest.length), count(sum('orders')))}</span>
                  <b>{formatVnd(sum('revenue'), language)}</b>
                </summary>
                <ol>{rest.map(line)}</ol>
              </details>
            </li>
          )}
        </ol>
      )}
    </Card>
  )
}
