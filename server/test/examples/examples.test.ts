import { describe, expect, it } from 'vitest'
import { separateService } from '../support/service.ts'
import { callCatalogue } from './catalogue.ts'
import { callCopies } from './copies.ts'
import { callWebhooks } from './events.ts'
import { callManagement, callNewShop, OA_ID } from './management.ts'
import { callMessages } from './messages.ts'
import { recorder } from './recorder.ts'
import { callSales } from './sales.ts'

const FILE = '../../src/process/document/examples.json'

/** Why an operation, or one of its responses, has no example. */
const WITHOUT: Record<string, string> = {
  'cancelProductImport 200': 'an import is over before it can be cancelled',
  'connectShopOfficialAccount request': 'needs an owner’s session',
  'connectShopOfficialAccount 201': 'needs an owner’s session',
  'createSnapshot 201': 'is another answer on each database',
  'dropFailedJob 200': 'a job fails only if the service does',
  'retryFailedJob 200': 'a job fails only if the service does',
  'finishConnectingShopOfficialAccount request': 'needs what the platform’s consent page gives',
  'finishConnectingShopOfficialAccount 200': 'needs what the platform’s consent page gives',
  'listChecks 200': 'is another answer on each database',
  'requestPasswordReset request': 'needs a mail server',
  'requestPasswordReset 200': 'needs a mail server',
}

describe('the examples of the API document', () => {
  it('are what the service accepts and returns: npm run examples records them again', async () => {
    const { call, useKey, examples, missing } = recorder(
      await separateService({ outboundAllowPrivate: true }),
    )
    const shop = await callNewShop(call)
    useKey(shop.apiKey)
    const catalogue = await callCatalogue(call, shop.id)
    await callSales(call, catalogue)
    const messageId = await callMessages(call, OA_ID)
    await callCopies(call)
    await callWebhooks(call)
    await callManagement(call, shop, messageId)
    await expect(`${JSON.stringify(examples(), null, 2)}\n`).toMatchFileSnapshot(FILE)
    expect(missing().toSorted()).toEqual(Object.keys(WITHOUT).toSorted())
  }, 180_000)
})
