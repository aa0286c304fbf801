import type { Call } from './recorder.ts'

export const OA_ID = '2479561023657'
const PASSWORD = 'một mật khẩu dài'

export type ManagedShop = { id: string; apiKey: string; accountId: string }

/** A shop with an official account and money, which is called with its key. */
export async function callNewShop(call: Call): Promise<ManagedShop> {
  const { shop, apiKey } = (await call('createShop', { body: { name: 'Tiệm Hoa Mai', language: 'vi' } })).data
  const params = { id: shop._id }
  const account = (
    await call('linkShopOfficialAccount', { params, body: { oaId: OA_ID, name: 'Tiệm Hoa Mai' } })
  ).data
  await call('createShopWalletEntry', { params, body: { amount: 500_000, note: 'Nạp ví' } })
  return { id: shop._id, apiKey, accountId: account._id }
}

/** What the operator does with a shop that has sold and sent. */
export async function callManagement(
  call: Call,
  { id, accountId }: ManagedShop,
  messageId: string,
): Promise<void> {
  const params = { id }
  await call('getShop', { params })
  await call('updateShop', { params, body: { oversell: 'deny', lowStockAt: 10 } })
  await call('suspendShop', { params, body: { reason: 'Chưa thanh toán' } })
  await call('resumeShop', { params })
  const closing = { id: (await call('createShop', { body: { name: 'Tiệm Hoa Cũ' } })).data.shop._id }
  await call('deleteShop', { params: closing, body: { name: 'Tiệm Hoa Cũ' } })
  await call('exportShop', { params: closing })
  await call('keepShop', { params: closing })
  await call('listClosedShops')
  await call('listShops', { query: { search: 'hoa mai' } })
  await call('getShopWallet', { params })
  await call('getShopMessage', { params: { id, messageId } })
  await call('getShopTemplateReport', { params: { id } })
  await call('listShopCharges', { params, query: { month: '2026-01', limit: 10 } })
  const person = { phone: '0903000111' }
  await call('recordConsent', { body: { ...person, status: 'granted', source: 'Phiếu đăng ký' } })
  await call('exportPerson', { params, body: person })
  await call('erasePerson', { params, body: person })
  await call('erasePersons', { body: person })
  await call('listStockDifferences', { params })
  await call('repairStock', { params })

  const key = (
    await call('issueKey', { params, body: { name: 'ERP', scopes: ['read', 'orders'], maxPerMinute: 40 } })
  ).data.key
  await call('getKey', { params: { id, keyId: key._id } })
  await call('listKeys', { params })
  await call('updateKey', { params: { id, keyId: key._id }, body: { maxPerMinute: 60 } })
  await call('rotateKey', { params: { id, keyId: key._id }, body: { overlapSeconds: 3_600 } })
  await call('revokeKey', { params: { id, keyId: key._id } })

  await callPeople(call, id)
  await call('listShopAuditEntries', { params, query: { limit: 2 } })
  await call('listAuditEntries', { query: { limit: 2 } })
  await call('listQueues')
  await call('listFailedJobs', { params: { queue: 'submit-template' } })
  await call('listCircuits')
  await call('retryCircuits', { params: { id, accountId } })
  await call('setPlatformApp', {
    body: { appId: '3147809264815', name: 'Shopbell', appSecret: 'app-secret', oaSecretKey: 'oa-secret-key' },
  })
  await call('listPlatformApps')
  await call('removePlatformApp', { params: { appId: '3147809264815' } })
  await call('listShopOfficialAccounts', { params })
  await call('updateShopOfficialAccount', { params: { id, accountId }, body: { price: 200, priceUID: 55 } })
  const sender = { brandname: 'TIEMHOAMAI', price: 420, apiKey: 'api-key', secretKey: 'secret-key' }
  await call('setSms', { params, body: sender })
  await call('getSms', { params })
  await call('removeSms', { params })
  await call('unlinkShopOfficialAccount', { params: { id, accountId } })
  await call('checkLiveness')
  await call('checkReadiness')
}

async function callPeople(call: Call, id: string): Promise<void> {
  const params = { id }
  const invite = async (email: string) =>
    (await call('createInvitation', { params, body: { email, role: 'staff' } })).data
  const { link } = await invite('lan@tiemhoamai.example')
  const token = tokenIn(link)
  await call('getInvitation', { params: { token } })
  await call('acceptInvitation', { params: { token }, body: { name: 'Nguyễn Thị Lan', password: PASSWORD } })
  const spare = await invite('an@tiemhoamai.example')
  await call('revokeInvitation', { params: { id, invitationId: spare.invitation._id } })

  await call('signIn', { body: { email: 'lan@tiemhoamai.example', password: PASSWORD } })
  await call('getSignedInUser')
  const headers = { 'x-shop-id': id }
  const views = [{ name: 'Đơn còn nợ', search: { paymentStatus: 'owed' } }]
  await call('replaceSavedViews', { headers, body: { list: 'orders', views } })
  await call('listSavedViews', { headers })
  const changed = 'một mật khẩu dài hơn'
  await call('changePassword', { body: { currentPassword: PASSWORD, newPassword: changed } })
  await call('signOut', { body: {} })
  const reset = (await call('createResetLink', { body: { email: 'lan@tiemhoamai.example' } })).data
  await call('resetPassword', { body: { token: tokenIn(reset.link), newPassword: PASSWORD } })

  const { members } = (await call('listMembers', { params })).data
  const userId = members[0]._id
  await call('updateMember', { params: { id, userId }, body: { role: 'viewer' } })
  await call('revokeKeysOfMember', { params: { id, userId } })
  await call('removeMember', { params: { id, userId } })

  const operator = { email: 'minh@shopbell.example', name: 'Trần Minh' }
  const { link: first } = (await call('createOperator', { body: operator })).data
  await call('resetPassword', { body: { token: tokenIn(first), newPassword: PASSWORD } })
  await call('signIn', { body: { email: operator.email, password: PASSWORD } })
  await call('visitShop', { params: { shopId: id } })
  await call('leaveShop', { params: { shopId: id } })
  const operators = (await call('listOperators')).data
  await call('removeOperator', { params: { userId: operators[0]._id } })
}

function tokenIn(link: string): string {
  return /token=([^&]+)/.exec(link)![1]!
}
