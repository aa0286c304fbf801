import { Type } from 'typebox'
import { eventData, eventSequence } from '../../modules/webhooks/outbox/event-types.ts'

/** The requests that a shop's endpoints receive (G-62), one for each type of event, as `webhooks` of the API document. */
export function documentedWebhooks() {
  return Object.fromEntries(
    Object.entries(eventData).map(([type, data]) => {
      const body = Type.Object({
        type: Type.Literal(type),
        timestamp: Type.String({ format: 'date-time', description: 'When it occurred' }),
        sequence: eventSequence,
        data,
      })
      const post = {
        tags: ['Webhooks'],
        operationId: operationIdOf(type),
        summary: `Payload of the ${type} event`,
        security: [],
        requestBody: { content: { 'application/json': { schema: JSON.parse(JSON.stringify(body)) } } },
        responses: { '2XX': { description: 'Accepted; any other response is retried' } },
      }
      return [type, { post }]
    }),
  )
}

/** The operation id of an event type, such as `receiveOrderCreated` for `order.created`. */
function operationIdOf(type: string): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `receive${words.join('')}`
}
