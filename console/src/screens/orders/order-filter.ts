import { type Applied, useCommonApplied } from '../../components/lists/applied.tsx'
import { endOfDay, formatTime, startOfDay } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { useChannelName, usePaymentName } from './order-values.tsx'
import { orderTexts } from './texts.ts'

/**
 * The list's filters as in the address. `since` and `until` are instants that replace the days. `seller` is an id or
 * `none`. `by` is the seller's name and `of` the product's, for display.
 */
export const NO_FILTER = {
  search: '',
  from: '',
  to: '',
  since: '',
  until: '',
  cancelled: '',
  payment: '',
  platform: '',
  seller: '',
  by: '',
  product: '',
  of: '',
}
export type Filter = typeof NO_FILTER

/** The service's filter. Days are in the shop's time zone. */
export const queryOf = ({
  search,
  from,
  to,
  since,
  until,
  cancelled,
  payment,
  platform,
  seller,
  product,
}: Filter) => ({
  search: search || undefined,
  startDate: since || (from === '' ? undefined : startOfDay(from)),
  endDate: until || (to === '' ? undefined : endOfDay(to)),
  cancelled: cancelled === 'no' ? false : undefined,
  paymentStatus: payment || undefined,
  platform: platform || undefined,
  soldBy: seller === '' || seller === 'none' ? undefined : seller,
  hasSeller: seller === 'none' ? false : undefined,
  productId: product || undefined,
})

export const isFiltered = (filter: Filter) =>
  Object.keys(NO_FILTER).some((name) => filter[name as keyof Filter] !== '')

/** The applied filters in words, other than the tab of the status. */
export function useApplied(filter: Filter): Applied<Filter>[] {
  const texts = useTexts(orderTexts)
  const { language } = useLanguage()
  const { since, until, cancelled, payment, platform, seller, by, product, of } = filter
  const paymentName = usePaymentName()
  const channelName = useChannelName()
  const time = (instant: string) => (instant === '' ? '' : formatTime(instant, language))
  const common = useCommonApplied(filter)
  return [
    ...common,
    ...(since === '' && until === ''
      ? []
      : [{ name: texts.between(time(since), time(until)), without: { since: '', until: '' } }]),
    ...(cancelled === 'no' ? [{ name: texts.withoutCancelled, without: { cancelled: '' } }] : []),
    ...(payment === ''
      ? []
      : [{ name: `${texts.payment}: ${paymentName(payment)}`, without: { payment: '' } }]),
    ...(platform === ''
      ? []
      : [{ name: `${texts.channel}: ${channelName(platform)}`, without: { platform: '' } }]),
    ...(seller === ''
      ? []
      : [
          {
            name: seller === 'none' ? texts.noSeller : texts.ofSeller(by),
            without: { seller: '', by: '' },
          },
        ]),
    ...(product === '' ? [] : [{ name: texts.withProduct(of), without: { product: '', of: '' } }]),
  ]
}
