import { Type } from 'typebox'
import type { Deps } from '../../../deps.ts'
import type { App } from '../../../http/app-type.ts'
import { drawBarcodes } from './rules.ts'
import { findFreeBarcodes } from './sql.ts'

const MOST = 200

/** Generates barcodes for goods that have none from their maker (G-39). The console's variant sheet uses them. */
export function barcodeRoutes(app: App, { db }: Deps): void {
  app.get(
    '/api/external/v1/products/free-barcodes',
    {
      schema: {
        tags: ['Console'],
        operationId: 'drawBarcodes',
        summary: 'Generate in-store barcodes that no product of the shop has',
        description:
          'Random EAN-13 codes that begin with 200. They are not set aside: a barcode is taken once a product has it.',
        querystring: Type.Object({
          count: Type.Integer({ minimum: 1, maximum: MOST, default: 1 }),
        }),
        response: {
          200: Type.Object({
            success: Type.Boolean(),
            data: Type.Object({ barcodes: Type.Array(Type.String()) }),
          }),
        },
      },
    },
    async (request, reply) => {
      const { count } = request.query
      const barcodes: string[] = []
      while (barcodes.length < count) {
        const drawn = drawBarcodes(count - barcodes.length, Math.random)
        const free = await findFreeBarcodes(db, request.shop.id, drawn)
        barcodes.push(...free.filter((barcode) => !barcodes.includes(barcode)))
      }
      reply.header('cache-control', 'no-store')
      return { success: true, data: { barcodes } }
    },
  )
}
