/** A description of each tag of the API document, in the order of the page at `/docs`. */
export const TAGS = [
  { name: 'Products', description: 'The catalogue: products with their SKUs, prices, import and export' },
  { name: 'Categories', description: 'The tree that products belong to' },
  { name: 'Images', description: 'Images that the service stores for a shop' },
  { name: 'Inventory', description: 'Warehouses, stock entries and movements' },
  { name: 'Orders', description: 'Orders, point of sale, statuses and payments' },
  {
    name: 'Shifts',
    description: 'Shifts at the counter: the cash in the drawer, and what each cashier took',
  },
  { name: 'Reports', description: 'Sales, the cost of their goods, and profit' },
  { name: 'Customers', description: 'The customers that orders refer to' },
  { name: 'Audiences', description: 'Customers chosen by what they did, for batches' },
  { name: 'News', description: 'Articles of a shop and the products attached to them' },
  { name: 'Templates', description: 'Message templates, their review by the platform and their preview' },
  {
    name: 'Messages',
    description: 'Messages to phone numbers and UIDs, single or in batches, and their outcomes',
  },
  { name: 'Official accounts', description: 'The accounts that a shop sends messages from' },
  { name: 'Wallet', description: 'The wallet that pays for messages: balance, entries and statements' },
  { name: 'Overview', description: 'Figures of recent days at a glance' },
  {
    name: 'Copies',
    description: 'Changes since a point in time, for systems that keep a copy of a shop’s records',
  },
  { name: 'Webhooks', description: 'Endpoints that receive a shop’s events, and the deliveries to them' },
  {
    name: 'Management',
    description: 'Shops, keys, members and accounts: for operators, partly for owners',
  },
  { name: 'Console', description: 'Sign-in and invitations of the web console, and forms that it keeps' },
  { name: 'Service', description: 'Health and metrics of the process' },
]
