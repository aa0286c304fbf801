// Generated from docs/openapi.json by client/generate-methods.ts: npm run openapi

/** What the types are made from. */
export const METHODS = {
  images: {
    /** An uploaded image */
    download: 'GET /images/{shop}/{file}',
    /** Upload an image */
    upload: 'POST /api/external/v1/images image/png',
  },
  templates: {
    /** Create a template as DRAFT */
    create: 'POST /api/external/notify-template/create',
    /** Delete a DRAFT or REJECTED template */
    delete: 'DELETE /api/external/notify-template/{id}',
    /** Create a DRAFT with the content of a template */
    duplicate: 'POST /api/external/notify-template/{id}/duplicate',
    /** Read a template */
    get: 'GET /api/external/notify-template/{id}',
    /** Messages, cost and quality of each template by day */
    getReport: 'GET /api/external/notify-template/report',
    /** Read the text that is sent as SMS in place of a message of the template */
    getSms: 'GET /api/external/notify-template/{id}/sms-text',
    /** Read a template’s changes of status and who made them, oldest first */
    getTimeline: 'GET /api/external/notify-template/{id}/timeline',
    /** Check a template without saving it */
    lint: 'POST /api/external/notify-template/lint',
    /** List templates, newest first unless sorted otherwise */
    list: 'GET /api/external/notify-template templates?size=100',
    /** Show the message as on a phone, with sample values */
    preview: 'GET /api/external/notify-template/{id}/preview',
    /** Submit a DRAFT or REJECTED template for review */
    publish: 'POST /api/external/notify-template/{id}/publish',
    /** Send an SMS where a message of the template cannot reach its recipient */
    setSms: 'PUT /api/external/notify-template/{id}/sms-text',
    /** Overwrite a template in DRAFT or REJECTED */
    update: 'PATCH /api/external/notify-template/{id}',
  },
  messages: {
    /** Cancel a batch */
    cancelBatch: 'POST /api/external/notify-message/batches/{id}/cancel',
    /** Export the matching completed messages as CSV, most recently sent first */
    export: 'GET /api/external/notify-message/history/export',
    /** Read a message with its timeline */
    get: 'GET /api/external/notify-message/messages/{id}',
    /** Read a batch and its progress */
    getBatch: 'GET /api/external/notify-message/batches/{id}',
    /** List completed messages, most recently sent first unless sorted otherwise */
    list: 'GET /api/external/notify-message/history histories?offset=100',
    /** List the batches, newest first */
    listBatches: 'GET /api/external/notify-message/batches data?limit=100',
    /** Check up to 1,000 messages without sending them */
    previewBatch: 'POST /api/external/notify-message/batches/preview',
    /** Check a batch to an audience without sending it */
    previewBatchToAudience: 'POST /api/external/notify-message/batches/to-audience/preview',
    /** Send up to 1,000 messages */
    sendBatch: 'POST /api/external/notify-message/batches',
    /** Send to up to 1,000 customers of an audience */
    sendBatchToAudience: 'POST /api/external/notify-message/batches/to-audience',
    /** Send a message to a phone number */
    sendToPhone: 'POST /api/external/notify-message/send',
    /** Send a message to a user of the platform by UID */
    sendToUid: 'POST /api/external/chatapp/uid-notify/send-message',
  },
  officialAccounts: {
    /** List the linked official accounts and whether the platform accepts their calls */
    list: 'GET /api/external/official-accounts data?limit=100',
  },
  wallet: {
    /** Download a month’s entries as CSV, oldest first */
    downloadStatement: 'GET /api/external/wallet/statement',
    /** Read the wallet */
    get: 'GET /api/external/wallet',
    /** Read the wallet’s threshold */
    getAlert: 'GET /api/external/wallet/alert',
    /** List the entries of the wallet, newest first */
    listEntries: 'GET /api/external/wallet/entries entries?limit=100',
    /** Set the balance below which `wallet.low` is sent, once per crossing */
    setAlert: 'PUT /api/external/wallet/alert',
  },
  overview: {
    /** Sales and messages of a period, and what needs attention */
    get: 'GET /api/external/overview',
  },
  products: {
    /** Cancel an import */
    cancelImport: 'POST /api/external/v1/products/imports/{id}/cancel',
    /** Create a product */
    create: 'POST /api/external/v1/products',
    /** All errors of an import as CSV */
    downloadImportErrors: 'GET /api/external/v1/products/imports/{id}/errors',
    /** Export products as CSV, oldest first */
    export: 'GET /api/external/v1/products/export',
    /** Read a product */
    get: 'GET /api/external/v1/products/{id}',
    /** Read what changed in a product and who did it, newest first */
    getHistory: 'GET /api/external/v1/products/{id}/history',
    /** Read an import and its progress */
    getImport: 'GET /api/external/v1/products/imports/{id}',
    /** Import products from a file */
    import: 'POST /api/external/v1/products/import text/csv',
    /** List products */
    list: 'GET /api/external/v1/products data.products?limit=50&total=none',
    /** List the imports, newest first */
    listImports: 'GET /api/external/v1/products/imports data?limit=50',
    /** Replace the sub-items groups of a product */
    replaceSubItemsGroups: 'PUT /api/external/v1/products/{id}/sub-items-groups',
    /** Replace the variant groups and SKUs of a product */
    replaceVariants: 'PUT /api/external/v1/products/{id}/variants',
    /** Replace the wholesale prices of a product */
    replaceWholesalePrices: 'PUT /api/external/v1/products/{id}/wholesale-prices',
    /** Retire a product */
    retire: 'DELETE /api/external/v1/products/{id}',
    /** Update a product */
    update: 'PATCH /api/external/v1/products/{id}',
  },
  categories: {
    /** Create a category */
    create: 'POST /api/external/v1/categories',
    /** Delete a category */
    delete: 'DELETE /api/external/v1/categories/{id}',
    /** Read a category */
    get: 'GET /api/external/v1/categories/{id}',
    /** List categories in the order of the tree */
    list: 'GET /api/external/v1/categories data.categories?limit=500',
    /** Change fields of a category */
    update: 'PATCH /api/external/v1/categories/{id}',
  },
  inventory: {
    /** Receive, issue, count or transfer stock */
    createEntry: 'POST /api/external/v1/inventory/entries',
    /** Create a warehouse */
    createWarehouse: 'POST /api/external/v1/warehouses',
    /** Delete a warehouse that was never used */
    deleteWarehouse: 'DELETE /api/external/v1/warehouses/{id}',
    /** Read a stock entry */
    getEntry: 'GET /api/external/v1/inventory/entries/{id}',
    /** List the average costs of SKUs, by the SKU’s id */
    listAverageCosts: 'GET /api/external/v1/inventory/costs data.costs?limit=100',
    /** List stock entries, newest first unless sorted otherwise */
    listEntries: 'GET /api/external/v1/inventory/entries data.entries?limit=50',
    /** List stock movements, newest first */
    listMovements: 'GET /api/external/v1/inventory/movements data.movements?limit=100',
    /** List suppliers, most recently used first */
    listSuppliers: 'GET /api/external/v1/inventory/suppliers data.suppliers?limit=100',
    /** List warehouses, oldest first */
    listWarehouses: 'GET /api/external/v1/warehouses data.warehouses?limit=100',
    /** Show what an entry would change, without booking it */
    previewEntry: 'POST /api/external/v1/inventory/entries/preview',
    /** Change fields of a warehouse */
    updateWarehouse: 'PATCH /api/external/v1/warehouses/{id}',
  },
  orders: {
    /** Create a point-of-sale order */
    createPos: 'POST /api/external/order/pos/create',
    /** Export the matching orders as CSV, newest first */
    export: 'GET /api/external/v1/orders/export',
    /** Read an order */
    get: 'GET /api/external/v1/orders/{id}',
    /** Read what was returned of an order, and what can still be */
    getReturns: 'GET /api/external/v1/orders/{id}/returns',
    /** Read an order’s events, oldest first */
    getTimeline: 'GET /api/external/v1/orders/{id}/timeline',
    /** List orders, newest first unless sorted otherwise */
    list: 'GET /api/external/v1/orders data.orders?limit=100&total=none',
    /** Compute a point-of-sale order without saving it */
    previewPos: 'POST /api/external/order/pos/preview',
    /** Book goods of a completed order that the customer brings back */
    returnGoods: 'POST /api/external/v1/orders/{id}/returns',
    /** Set what an order has been paid */
    setPayment: 'PATCH /api/external/v1/orders/{id}/payment',
    /** Add up the prices of the matching orders, and what is still owed for them */
    sum: 'GET /api/external/v1/orders/sums',
    /** Move an order to a status */
    updateStatus: 'PATCH /api/external/v1/orders/{id}/status',
  },
  customers: {
    /** Create a customer */
    create: 'POST /api/external/v1/customers',
    /** Export the matching customers as CSV, newest first */
    export: 'GET /api/external/v1/customers/export',
    /** Read a customer */
    get: 'GET /api/external/v1/customers/{id}',
    /** Read what a customer owes */
    getDebt: 'GET /api/external/v1/customers/{id}/debt',
    /** Store up to 500 customers and their opening debts */
    import: 'POST /api/external/v1/customers/import',
    /** List customers, newest first unless sorted otherwise */
    list: 'GET /api/external/v1/customers data.customers?limit=100&total=none',
    /** List consents and withdrawals, newest first */
    listConsents: 'GET /api/external/v1/consents data?limit=100',
    /** Record a payment of a customer’s debt */
    payDebt: 'POST /api/external/v1/customers/{id}/payments',
    /** Record that a customer consents to messages, or withdraws consent */
    recordConsent: 'POST /api/external/v1/consents',
    /** Change fields of a customer */
    update: 'PATCH /api/external/v1/customers/{id}',
  },
  shifts: {
    /** Close a shift with the counted cash */
    close: 'POST /api/external/v1/shifts/{id}/close',
    /** Read a shift */
    get: 'GET /api/external/v1/shifts/{id}',
    /** List shifts, newest first */
    list: 'GET /api/external/v1/shifts data?limit=100',
    /** Open a shift */
    open: 'POST /api/external/v1/shifts',
    /** Record cash put into the drawer or taken out */
    recordCash: 'POST /api/external/v1/shifts/{id}/cash',
  },
  reports: {
    /** The products behind `linesWithoutCost` of the profit report */
    getGoodsWithoutCost: 'GET /api/external/v1/reports/profit/without-cost',
    /** Sales, cost of goods sold and profit by day */
    getProfit: 'GET /api/external/v1/reports/profit',
  },
  audiences: {
    /** Count the customers who meet conditions */
    count: 'POST /api/external/v1/audiences/count',
    /** Save an audience under a name */
    create: 'POST /api/external/v1/audiences',
    /** Delete an audience */
    delete: 'DELETE /api/external/v1/audiences/{id}',
    /** Read an audience */
    get: 'GET /api/external/v1/audiences/{id}',
    /** List audiences by name */
    list: 'GET /api/external/v1/audiences data',
    /** List the current customers of an audience */
    readCustomers: 'GET /api/external/v1/audiences/{id}/customers',
    /** Rename an audience, or change its conditions */
    update: 'PATCH /api/external/v1/audiences/{id}',
  },
  news: {
    /** Attach related products to a news article */
    attachProducts: 'POST /api/external/news/{id}/items',
    /** Create a news article */
    create: 'POST /api/external/news',
    /** Delete a news article */
    delete: 'DELETE /api/external/news/{id}',
    /** Detach products from a news article */
    detachProducts: 'DELETE /api/external/news/{id}/items',
    /** Read a news article with its attached products */
    get: 'GET /api/external/news/{id}',
    /** List news articles with their attached products, newest first unless sorted otherwise */
    list: 'GET /api/external/news data.news?limit=50',
    /** Update a news article: fields that are not sent keep their value */
    update: 'PUT /api/external/news/{id}',
  },
  webhooks: {
    /** Register a webhook endpoint */
    create: 'POST /api/external/webhooks',
    /** Delete an endpoint; its queued events are discarded */
    delete: 'DELETE /api/external/webhooks/{id}',
    /** Read an endpoint */
    get: 'GET /api/external/webhooks/{id}',
    /** List the endpoints */
    list: 'GET /api/external/webhooks data',
    /** List the delivery attempts of an endpoint, newest first; kept for 30 days */
    listAttempts: 'GET /api/external/webhooks/{id}/attempts data?limit=100',
    /** Read the events of the last 30 days with their deliveries, oldest first */
    readEvents: 'GET /api/external/events',
    /** Deliver again the events since a given time that failed or occurred while the endpoint was disabled */
    recoverEvents: 'POST /api/external/webhooks/{id}/recover',
    /** Deliver the events since a given time that the endpoint was never given */
    replayMissingEvents: 'POST /api/external/webhooks/{id}/replay-missing',
    /** Deliver an event to an endpoint again, whether or not it arrived */
    resendEvent: 'POST /api/external/webhooks/{id}/resend',
    /** Rotate an endpoint’s secret; both secrets sign for 24 hours */
    rotateSecret: 'POST /api/external/webhooks/{id}/rotate-secret',
    /** Send the event `webhook.test` to an endpoint */
    test: 'POST /api/external/webhooks/{id}/test',
    /** Change, disable or enable an endpoint */
    update: 'PATCH /api/external/webhooks/{id}',
  },
  copies: {
    /** Start an export of all records of a type */
    createExport: 'POST /api/external/exports',
    /** Download the records of an export as lines of JSON */
    downloadExport: 'GET /api/external/exports/{id}/file',
    /** Read what changed after a cursor */
    readChanges: 'GET /api/external/changes',
  },
  management: {
    /** Start connecting an official account: returns the address of the platform’s consent page */
    connectShopOfficialAccount: 'POST /api/manage/v1/shops/{id}/official-accounts/connect',
    /** Invite a person to a shop; the link is shown only once, or emailed if SMTP is configured */
    createInvitation: 'POST /api/manage/v1/shops/{id}/invitations',
    /** Make a person an operator; their sessions and password end, and the link sets a new password */
    createOperator: 'POST /api/manage/v1/operators',
    /** Create a password reset link */
    createResetLink: 'POST /api/manage/v1/reset-links',
    /** Create a shop with its first API key */
    createShop: 'POST /api/manage/v1/shops',
    /** Top up or correct a wallet */
    createShopWalletEntry: 'POST /api/manage/v1/shops/{id}/wallet/entries',
    /** Copy the files of the embedded database to a folder beside it, for shopbell backup */
    createSnapshot: 'POST /api/manage/v1/snapshots',
    /** Suspend a shop now and erase it later */
    deleteShop: 'PUT /api/manage/v1/shops/{id}/deletion',
    /** Delete a failed job */
    dropFailedJob: 'DELETE /api/manage/v1/queues/{queue}/failed-jobs/{jobId}',
    /** Erase one person from a shop */
    erasePerson: 'POST /api/manage/v1/shops/{id}/people/erase',
    /** Erase one person from all shops and from data that belongs to none */
    erasePersons: 'POST /api/manage/v1/people/erase',
    /** Export everything that a shop holds about one person */
    exportPerson: 'POST /api/manage/v1/shops/{id}/people/export',
    /** Download all data of a shop as lines of JSON */
    exportShop: 'GET /api/manage/v1/shops/{id}/export',
    /** Link the official account whose owner came back from the consent page, in the same session */
    finishConnectingShopOfficialAccount: 'POST /api/manage/v1/shops/{id}/official-accounts/connect/finish',
    /** Read an API key, without the key itself */
    getKey: 'GET /api/manage/v1/shops/{id}/keys/{keyId}',
    /** Read a shop */
    getShop: 'GET /api/manage/v1/shops/{id}',
    /** Read a message of a shop with its timeline and the platform’s raw response */
    getShopMessage: 'GET /api/manage/v1/shops/{id}/messages/{messageId}',
    /** Messages, cost and quality of each template of a shop by day */
    getShopTemplateReport: 'GET /api/manage/v1/shops/{id}/template-report',
    /** Read the wallet of a shop */
    getShopWallet: 'GET /api/manage/v1/shops/{id}/wallet',
    /** Read a shop’s SMS sender */
    getSms: 'GET /api/manage/v1/shops/{id}/sms',
    /** Issue an API key; it is shown only once */
    issueKey: 'POST /api/manage/v1/shops/{id}/keys',
    /** Withdraw the deletion of a shop, which stays suspended */
    keepShop: 'DELETE /api/manage/v1/shops/{id}/deletion',
    /** Link an official account; linking it again replaces its name and any credentials sent */
    linkShopOfficialAccount: 'POST /api/manage/v1/shops/{id}/official-accounts',
    /** List the audit log of all shops and of the operators, newest first */
    listAuditEntries: 'GET /api/manage/v1/audit data?limit=100',
    /** Check the database, its schema, its clock and the age of the queues */
    listChecks: 'GET /api/manage/v1/checks data',
    /** List the official accounts of all shops whose calls to the platform failed recently */
    listCircuits: 'GET /api/manage/v1/circuits data',
    /** List what is kept of erased shops, newest first */
    listClosedShops: 'GET /api/manage/v1/closed-shops data?limit=100',
    /** List the failed jobs of a queue, newest first, at most 100 */
    listFailedJobs: 'GET /api/manage/v1/queues/{queue}/failed-jobs data',
    /** List the API keys of a shop, newest first */
    listKeys: 'GET /api/manage/v1/shops/{id}/keys data?limit=100',
    /** List the members of a shop and its pending invitations */
    listMembers: 'GET /api/manage/v1/shops/{id}/members data.members?limit=1000',
    /** List the operators, ordered by email */
    listOperators: 'GET /api/manage/v1/operators data?limit=1000',
    /** List the apps on the messaging platform, without their secrets */
    listPlatformApps: 'GET /api/manage/v1/platform-apps data',
    /** List the background queues and their jobs */
    listQueues: 'GET /api/manage/v1/queues data',
    /** List the audit log of a shop, newest first */
    listShopAuditEntries: 'GET /api/manage/v1/shops/{id}/audit data?limit=100',
    /** List what the messages that a shop sent in a month cost according to its ledger, oldest first */
    listShopCharges: 'GET /api/manage/v1/shops/{id}/charges data?limit=1000',
    /** List the official accounts of a shop */
    listShopOfficialAccounts: 'GET /api/manage/v1/shops/{id}/official-accounts data?limit=1000',
    /** List the shops, each with its wallet, its activity and its health */
    listShops: 'GET /api/manage/v1/shops data?limit=100',
    /** List stock quantities that differ from their ledger */
    listStockDifferences: 'GET /api/manage/v1/shops/{id}/stock/differences data.differences',
    /** Remove a member from a shop; their pending invitations end, and the keys they issued are listed */
    removeMember: 'DELETE /api/manage/v1/shops/{id}/members/{userId}',
    /** Remove operator access; the person keeps their shops */
    removeOperator: 'DELETE /api/manage/v1/operators/{userId}',
    /** Remove an app; refused while official accounts refer to it */
    removePlatformApp: 'DELETE /api/manage/v1/platform-apps/{appId}',
    /** Remove a shop’s SMS sender; waiting SMS end unsent, and their fees are released */
    removeSms: 'DELETE /api/manage/v1/shops/{id}/sms',
    /** Set stock quantities to the values in their ledger */
    repairStock: 'POST /api/manage/v1/shops/{id}/stock/repair',
    /** Resume a suspended shop */
    resumeShop: 'DELETE /api/manage/v1/shops/{id}/suspension',
    /** Try the platform again with an official account immediately */
    retryCircuits: 'POST /api/manage/v1/shops/{id}/circuits/{accountId}/retry',
    /** Run a failed job again, within seconds */
    retryFailedJob: 'POST /api/manage/v1/queues/{queue}/failed-jobs/{jobId}/retry',
    /** Revoke an invitation */
    revokeInvitation: 'DELETE /api/manage/v1/shops/{id}/invitations/{invitationId}',
    /** Revoke an API key */
    revokeKey: 'DELETE /api/manage/v1/shops/{id}/keys/{keyId}',
    /** Revoke every API key that a person issued, even if the person has left the shop */
    revokeKeysOfMember: 'DELETE /api/manage/v1/shops/{id}/members/{userId}/keys',
    /** Replace an API key; the old key keeps working during the overlap */
    rotateKey: 'POST /api/manage/v1/shops/{id}/keys/{keyId}/rotate',
    /** Set an app on the messaging platform: its name and secrets; fields that are not sent keep their value */
    setPlatformApp: 'POST /api/manage/v1/platform-apps',
    /** Set a shop’s SMS sender, and what the shop pays for one SMS */
    setSms: 'PUT /api/manage/v1/shops/{id}/sms',
    /** Suspend a shop */
    suspendShop: 'PUT /api/manage/v1/shops/{id}/suspension',
    /** Unlink an official account; refused while messages wait to be sent with it or have no result yet */
    unlinkShopOfficialAccount: 'DELETE /api/manage/v1/shops/{id}/official-accounts/{accountId}',
    /** Change how many of the shop’s requests per minute an API key may use */
    updateKey: 'PATCH /api/manage/v1/shops/{id}/keys/{keyId}',
    /** Change a member’s role; the keys that someone who is not an owner any more issued are listed */
    updateMember: 'PATCH /api/manage/v1/shops/{id}/members/{userId}',
    /** Change the settings of a shop */
    updateShop: 'PATCH /api/manage/v1/shops/{id}',
    /** Change an official account: its name, app, prices, when it is charged, and credentials */
    updateShopOfficialAccount: 'PATCH /api/manage/v1/shops/{id}/official-accounts/{accountId}',
  },
} as const

/** The same in few bytes, which the package is made from: see `readTable`. */
export const TABLE = `
images 
/images/{shop}/{file}  download
v1/images POST upload image/png

templates notify-template
  list templates?size=100
/create POST
/lint POST
/report  getReport
/{id}  get
/{id} DELETE delete
/{id} PATCH update
/{id}/duplicate POST
/{id}/preview
/{id}/publish POST
/{id}/sms-text  getSms
/{id}/sms-text PUT setSms
/{id}/timeline  getTimeline

messages 
chatapp/uid-notify/send-message POST sendToUid
notify-message/batches  listBatches data?limit=100
notify-message/batches POST sendBatch
notify-message/batches/preview POST previewBatch
notify-message/batches/to-audience POST sendBatchToAudience
notify-message/batches/to-audience/preview POST previewBatchToAudience
notify-message/batches/{id}  getBatch
notify-message/batches/{id}/cancel POST cancelBatch
notify-message/history  list histories?offset=100
notify-message/history/export
notify-message/messages/{id}  get
notify-message/send POST sendToPhone

officialAccounts official-accounts
  list data?limit=100

wallet wallet
  get
/alert  getAlert
/alert PUT setAlert
/entries  listEntries entries?limit=100
/statement  downloadStatement

overview overview
  get

products v1/products
  list data.products?limit=50&total=none
 POST create
/export
/import POST  text/csv
/imports  listImports data?limit=50
/imports/{id}  getImport
/imports/{id}/cancel POST cancelImport
/imports/{id}/errors  downloadImportErrors
/{id}  get
/{id} DELETE retire
/{id} PATCH update
/{id}/history  getHistory
/{id}/sub-items-groups PUT replaceSubItemsGroups
/{id}/variants PUT replaceVariants
/{id}/wholesale-prices PUT replaceWholesalePrices

categories v1/categories
  list data.categories?limit=500
 POST create
/{id}  get
/{id} DELETE delete
/{id} PATCH update

inventory v1/
inventory/costs  listAverageCosts data.costs?limit=100
inventory/entries  listEntries data.entries?limit=50
inventory/entries POST createEntry
inventory/entries/preview POST previewEntry
inventory/entries/{id}  getEntry
inventory/movements  listMovements data.movements?limit=100
inventory/suppliers  listSuppliers data.suppliers?limit=100
warehouses  listWarehouses data.warehouses?limit=100
warehouses POST createWarehouse
warehouses/{id} DELETE deleteWarehouse
warehouses/{id} PATCH updateWarehouse

orders 
order/pos/create POST createPos
order/pos/preview POST previewPos
v1/orders  list data.orders?limit=100&total=none
v1/orders/export
v1/orders/sums  sum
v1/orders/{id}  get
v1/orders/{id}/payment PATCH setPayment
v1/orders/{id}/returns  getReturns
v1/orders/{id}/returns POST returnGoods
v1/orders/{id}/status PATCH updateStatus
v1/orders/{id}/timeline  getTimeline

customers v1/c
onsents  listConsents data?limit=100
onsents POST recordConsent
ustomers  list data.customers?limit=100&total=none
ustomers POST create
ustomers/export
ustomers/import POST
ustomers/{id}  get
ustomers/{id} PATCH update
ustomers/{id}/debt  getDebt
ustomers/{id}/payments POST payDebt

shifts v1/shifts
  list data?limit=100
 POST open
/{id}  get
/{id}/cash POST recordCash
/{id}/close POST

reports v1/reports/profit
  getProfit
/without-cost  getGoodsWithoutCost

audiences v1/audiences
  list data
 POST create
/count POST
/{id}  get
/{id} DELETE delete
/{id} PATCH update
/{id}/customers  readCustomers

news news
  list data.news?limit=50
 POST create
/{id}  get
/{id} DELETE delete
/{id} PUT update
/{id}/items DELETE detachProducts
/{id}/items POST attachProducts

webhooks 
events  readEvents
webhooks  list data
webhooks POST create
webhooks/{id}  get
webhooks/{id} DELETE delete
webhooks/{id} PATCH update
webhooks/{id}/attempts  listAttempts data?limit=100
webhooks/{id}/recover POST recoverEvents
webhooks/{id}/replay-missing POST replayMissingEvents
webhooks/{id}/resend POST resendEvent
webhooks/{id}/rotate-secret POST rotateSecret
webhooks/{id}/test POST

copies 
changes  readChanges
exports POST createExport
exports/{id}/file  downloadExport

management /api/manage/v1/
audit  listAuditEntries data?limit=100
checks  listChecks data
circuits  listCircuits data
closed-shops  listClosedShops data?limit=100
operators  listOperators data?limit=1000
operators POST createOperator
operators/{userId} DELETE removeOperator
people/erase POST erasePersons
platform-apps  listPlatformApps data
platform-apps POST setPlatformApp
platform-apps/{appId} DELETE removePlatformApp
queues  listQueues data
queues/{queue}/failed-jobs  listFailedJobs data
queues/{queue}/failed-jobs/{jobId} DELETE dropFailedJob
queues/{queue}/failed-jobs/{jobId}/retry POST retryFailedJob
reset-links POST createResetLink
shops  listShops data?limit=100
shops POST createShop
shops/{id}  getShop
shops/{id} PATCH updateShop
shops/{id}/audit  listShopAuditEntries data?limit=100
shops/{id}/charges  listShopCharges data?limit=1000
shops/{id}/circuits/{accountId}/retry POST retryCircuits
shops/{id}/deletion DELETE keepShop
shops/{id}/deletion PUT deleteShop
shops/{id}/export  exportShop
shops/{id}/invitations POST createInvitation
shops/{id}/invitations/{invitationId} DELETE revokeInvitation
shops/{id}/keys  listKeys data?limit=100
shops/{id}/keys POST issueKey
shops/{id}/keys/{keyId}  getKey
shops/{id}/keys/{keyId} DELETE revokeKey
shops/{id}/keys/{keyId} PATCH updateKey
shops/{id}/keys/{keyId}/rotate POST rotateKey
shops/{id}/members  listMembers data.members?limit=1000
shops/{id}/members/{userId} DELETE removeMember
shops/{id}/members/{userId} PATCH updateMember
shops/{id}/members/{userId}/keys DELETE revokeKeysOfMember
shops/{id}/messages/{messageId}  getShopMessage
shops/{id}/official-accounts  listShopOfficialAccounts data?limit=1000
shops/{id}/official-accounts POST linkShopOfficialAccount
shops/{id}/official-accounts/connect POST connectShopOfficialAccount
shops/{id}/official-accounts/connect/finish POST finishConnectingShopOfficialAccount
shops/{id}/official-accounts/{accountId} DELETE unlinkShopOfficialAccount
shops/{id}/official-accounts/{accountId} PATCH updateShopOfficialAccount
shops/{id}/people/erase POST erasePerson
shops/{id}/people/export POST exportPerson
shops/{id}/sms  getSms
shops/{id}/sms DELETE removeSms
shops/{id}/sms PUT setSms
shops/{id}/stock/differences  listStockDifferences data.differences
shops/{id}/stock/repair POST repairStock
shops/{id}/suspension DELETE resumeShop
shops/{id}/suspension PUT suspendShop
shops/{id}/template-report  getShopTemplateReport
shops/{id}/wallet  getShopWallet
shops/{id}/wallet/entries POST createShopWalletEntry
snapshots POST createSnapshot`
