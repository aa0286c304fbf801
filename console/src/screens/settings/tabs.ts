/** The tabs of the shop's settings by name, in their order. */
const OF_OWNERS = ['shop', 'print', 'warehouses', 'keys', 'webhooks', 'accounts', 'members', 'audit'] as const
const OF_OTHERS = ['accounts', 'webhooks', 'warehouses'] as const
export type SettingsTab = (typeof OF_OWNERS)[number]

/** The tabs that the member may see. */
export const settingsTabs = (isOwner: boolean): readonly SettingsTab[] => (isOwner ? OF_OWNERS : OF_OTHERS)
