import { Type } from 'typebox'
import { isUniqueViolation } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { NotFound, Refused } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { csvFile, sendCsv } from '../../http/formats/csv.ts'
import { askedIds, cursorFields, cursorMeta, isTextKey, readPlace } from '../../http/list-place.ts'
import { readNear } from '../../http/reads/replica-reads.ts'
import { editOf, editorOf, showVersion } from '../../http/record-version.ts'
import { totalFields } from '../../http/validation/fields.ts'
import { pathId } from '../../http/validation/object-id.ts'
import { idempotentCreate } from '../idempotency/hook.ts'
import { createCustomer } from './create-customer.ts'
import { listDebtors } from './debtors-sql.ts'
import { exportCustomers, exportDebtors } from './export-customers.ts'
import { foundMeta, presentCustomer, presentListedCustomer } from './present.ts'
import { searchPatterns, sortOfAll } from './rules.ts'
import {
  createCustomerBody,
  customerRecord,
  debtorFields,
  exportCustomersQuery,
  listCustomersQuery,
  listedCustomer,
  updateCustomerBody,
} from './schema.ts'
import { findCustomer, listCustomers, PHONE_CONSTRAINT } from './sql.ts'
import { changeCustomer } from './update-customer.ts'

const tags = ['Customers']
const answer = Type.Object({ success: Type.Boolean(), message: Type.String(), data: customerRecord })

/** G-46: the customers of a shop, whom orders refer to. */
export function customerRoutes(app: App, deps: Deps): void {
  const { db, ids, clock } = deps

  app.get(
    '/api/external/v1/customers',
    {
      // What customers owe depends on orders, which belong to no area of this list.
      config: { reads: ['customers'], readsMoreWith: ['select', 'debt'] },
      schema: {
        tags,
        operationId: 'listCustomers',
        summary: 'List customers, newest first unless sorted otherwise',
        querystring: listCustomersQuery,
        response: {
          200: Type.Object({
            success: Type.Boolean(),
            data: Type.Object({
              customers: Type.Array(listedCustomer),
              meta: Type.Object({
                page: Type.Number(),
                limit: Type.Number(),
                ...totalFields,
                ...cursorFields,
                ...debtorFields,
              }),
            }),
          }),
        },
      },
    },
    async (request) => {
      const { page, limit, search, select, debt, total: mode, sortBy, sortType } = request.query
      const place = readPlace(
        request.query,
        request.shop.id,
        `customers.${sortBy}.${sortType}`,
        sortBy === 'fullName' ? isTextKey : undefined,
      )
      const query = {
        filter: { patterns: searchPatterns(search ?? ''), ids: place.ids },
        page: place,
        mode,
        withDebt: select === 'debt',
      }
      const { customers, last, ...found } = await readNear(request, db, (near) =>
        debt === 'owed'
          ? listDebtors(near, request.shop.id, { ...query, sort: { by: sortBy, direction: sortType } })
          : listCustomers(near, request.shop.id, {
              ...query,
              sort: { by: sortOfAll(sortBy), direction: sortType },
            }),
      )
      const meta = {
        page,
        limit,
        ...foundMeta(mode, found, limit),
        ...cursorMeta(place, customers.length, last),
      }
      return { success: true, data: { customers: customers.map(presentListedCustomer), meta } }
    },
  )

  app.get(
    '/api/external/v1/customers/export',
    {
      schema: {
        tags,
        operationId: 'exportCustomers',
        summary: 'Export the matching customers as CSV, newest first',
        description:
          'All customers that a search finds, or those of `ids`. UTF-8 with a byte order mark, one line per customer. With `debt=owed` the newest ids come first.',
        querystring: exportCustomersQuery,
        response: { 200: csvFile },
      },
    },
    async (request, reply) => {
      const { search, ids, labels, debt } = request.query
      const filter = { patterns: searchPatterns(search ?? ''), ids: askedIds(ids) }
      const exportFound = debt === 'owed' ? exportDebtors : exportCustomers
      const chunks = exportFound(deps.database.slow, request.shop.id, filter, labels)
      return sendCsv(reply, { name: 'customers', now: clock.now(), chunks })
    },
  )

  app.post(
    '/api/external/v1/customers',
    {
      schema: {
        tags,
        operationId: 'createCustomer',
        summary: 'Create a customer',
        body: createCustomerBody,
        errors: ['CUSTOMER_PHONE_TAKEN'],
        response: { 201: answer },
      },
    },
    async (request, reply) => {
      const { openingDebt = 0, ...given } = fieldsOf(request.body)
      const asked = { ...given, openingDebt, by: editorOf(request) }
      const row = await idempotentCreate(request, ids, {
        find: (id) => findCustomer(db, request.shop.id, id),
        create: (id) => createCustomer(deps, request.shop.id, { ...asked, id }),
      }).catch(phoneTaken(given.phone ?? ''))
      return reply.code(201).send({ success: true, message: 'Customer created', data: presentCustomer(row) })
    },
  )

  app.get(
    '/api/external/v1/customers/:id',
    {
      config: { reads: ['customers'], showsVersion: true },
      schema: {
        tags,
        operationId: 'getCustomer',
        summary: 'Read a customer',
        response: { 200: Type.Object({ success: Type.Boolean(), data: customerRecord }) },
      },
    },
    async (request, reply) => {
      const row = await findCustomer(db, request.shop.id, pathId(request.params))
      if (row === undefined) throw new NotFound('customer')
      showVersion(reply, row.version)
      return { success: true, data: presentCustomer(row) }
    },
  )

  app.patch(
    '/api/external/v1/customers/:id',
    {
      schema: {
        tags,
        operationId: 'updateCustomer',
        summary: 'Change fields of a customer',
        description:
          'Absent fields keep their value. Orders are then found by the new name and phone number.',
        body: updateCustomerBody,
        errors: ['CUSTOMER_PHONE_TAKEN', 'RECORD_CHANGED', 'OPENING_DEBT_PAID'],
        response: { 200: answer },
      },
    },
    async (request, reply) => {
      const id = pathId(request.params)
      const fields = fieldsOf(request.body)
      const row = await changeCustomer(deps, request.shop.id, id, fields, editOf(request)).catch(
        phoneTaken(fields.phone ?? ''),
      )
      if (row === undefined) throw new NotFound('customer')
      showVersion(reply, row.version)
      return { success: true, message: 'Customer updated', data: presentCustomer(row) }
    },
  )
}

function fieldsOf<Body extends { shopId?: unknown }>({ shopId: _, ...fields }: Body): Omit<Body, 'shopId'> {
  return fields
}

function phoneTaken(phone: string) {
  return (error: unknown): never => {
    throw isUniqueViolation(error, PHONE_CONSTRAINT) ? new Refused('CUSTOMER_PHONE_TAKEN', { phone }) : error
  }
}
