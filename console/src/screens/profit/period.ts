/** Those of the home but for the longest. */
export const PERIODS = ['today', 'yesterday', '7', '30', 'month', 'lastMonth'] as const
/** Opens the goods without a cost, as `goods` in the screen's address. */
export const WITHOUT_COST = 'without-cost'
export type PeriodName = (typeof PERIODS)[number]
