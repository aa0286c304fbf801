import { optionalInstant, optionalStart } from '../../http/validation/instant.ts'
import { optionalObjectId } from '../../http/validation/object-id.ts'
import { searchPatterns } from '../customers/rules.ts'
import { readPaymentMethod, readStatus } from './rules.ts'
import type { OrderFilter } from './sql/list.ts'

/** The filters of E12 and the export, as received; empty texts filter nothing. */
export type AskedFilter = {
  status?: string
  startDate?: string
  endDate?: string
  customerId?: string
  paymentMethod?: string
  paymentStatus?: string
  platform?: string
  soldBy?: string
  hasSeller?: boolean
  productId?: string
  cancelled?: boolean
  search?: string
}

/**
 * The filter that a query asks for (E12).
 * @throws ValidationError for an invalid date; MalformedId.
 */
export function readFilter(asked: AskedFilter): OrderFilter {
  return {
    status: asked.status ? readStatus(asked.status) : undefined,
    start: optionalStart(asked.startDate, 'startDate'),
    end: optionalInstant(asked.endDate, 'endDate'),
    customerId: optionalObjectId(asked.customerId, 'customerId'),
    // In the form in which it is stored (G-45).
    paymentMethod: readPaymentMethod(asked.paymentMethod ?? '') || undefined,
    paymentStatus: asked.paymentStatus || undefined,
    platform: asked.platform || undefined,
    soldBy: optionalObjectId(asked.soldBy, 'soldBy'),
    hasSeller: asked.hasSeller,
    productId: optionalObjectId(asked.productId, 'productId'),
    isCancelled: asked.cancelled,
    patterns: searchPatterns(asked.search ?? ''),
  }
}
