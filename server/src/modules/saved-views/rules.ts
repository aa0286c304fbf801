/** The console's lists whose views can be saved. */
export const LISTS = ['orders', 'products', 'customers', 'messages', 'templates', 'news'] as const
export type List = (typeof LISTS)[number]

/** The most saved views that a member has of one list. */
export const MAX_VIEWS = 20
