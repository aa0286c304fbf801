/** What each tag of the API document is about, in the order of the page at `/docs`. */
export const TAGS = [
  { name: 'Products', description: 'The catalogue: products with their SKUs, prices and files of them' },
  { name: 'Categories', description: 'The tree that products are sorted into' },
  { name: 'Images', description: 'Pictures that the service keeps for a shop' },
  { name: 'Inventory', description: 'Warehouses, entries of stock and the movements they make' },
  { name: 'Orders', description: 'Orders from the point of sale, their status and what was paid' },
  { name: 'Customers', description: 'People whom orders and messages name' },
  { name: 'News', description: 'Articles of a shop and the products attached to them' },
  { name: 'Templates', description: 'Texts of messages, their review by the platform and their preview' },
  {
    name: 'Messages',
    description: 'Messages to phones and UIDs, one by one or in batches, and what became of them',
  },
  { name: 'Official accounts', description: 'The accounts in whose name a shop sends messages' },
  { name: 'Wallet', description: 'What messages are paid from: balance, entries and statements' },
  { name: 'Overview', description: 'Figures of the last days at a glance' },
  { name: 'Webhooks', description: 'Endpoints that get a shop’s events, and the deliveries to them' },
  {
    name: 'Management',
    description: 'Shops, keys, members and accounts: for the operator, partly for owners',
  },
  { name: 'Console', description: 'Sign-in and invitations of the web console' },
  { name: 'Service', description: 'Whether the process is well, and its metrics' },
]
