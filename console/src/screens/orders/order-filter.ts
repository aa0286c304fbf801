import { type Applied, useCommonApplied } from '../../components/lists/applied.tsx'
import { endOfDay, formatTime, startOfDay } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { orderTexts } from './texts.ts'

/**
 * The list's filters as in the address. `since` and `until` are instants that replace the days. `seller` is an id or
 * `none`. `of` is the name of the seller or product, for display.
 */
export const NO_FILTER = {
  search: '',
  from: '',
  to: '',
  since: '',
  until: '',
  cancelled: '',
  seller: '',
  product: '',
  of: '',
}
export type Filter = typeof NO_FILTER

/** The service's filter. Days are in the shop's time zone. */
export const queryOf = ({ search, from, to, since, until, cancelled, seller, product }: Filter) => ({
  search: search || undefined,
  startDate: since || (from === '' ? undefined : startOfDay(from)),
  endDate: until || (to === '' ? undefined : endOfDay(to)),
  cancelled: cancelled === 'no' ? false : undefined,
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
  const { since, until, cancelled, seller, product, of } = filter
  const time = (instant: string) => (instant === '' ? '' : formatTime(instant, language))
  const common = useCommonApplied(filter)
  return [
    ...common,
    ...(since === '' && until === ''
      ? []
      : [{ name: texts.between(time(since), time(until)), without: { since: '', until: '' } }]),
    ...(cancelled === 'no' ? [{ name: texts.withoutCancelled, without: { cancelled: '' } }] : []),
    ...(seller === ''
      ? []
      : [
          {
            name: seller === 'none' ? texts.noSeller : texts.ofSeller(of),
            without: { seller: '', of: '' },
          },
        ]),
    ...(product === '' ? [] : [{ name: texts.withProduct(of), without: { product: '', of: '' } }]),
  ]
}
