import type { ShopProfile, ShopRow, ShopSummary } from './sql.ts'

/** The low-balance threshold of a shop that has not set its own. */
const LOW_VND = 50_000

export function presentShop(row: ShopRow) {
  return {
    _id: row.id,
    id: row.id,
    __v: row.version,
    name: row.name,
    language: row.language,
    oversell: row.oversell,
    unknownPolicy: row.unknownPolicy,
    lowStockAt: row.lowStockAt,
    ...presentProfile(row),
    suspendedAt: row.suspended_at?.toISOString() ?? null,
    suspensionReason: row.suspension_reason,
    deletion:
      row.deletion_asked_at === null || row.deletion_due_at === null
        ? null
        : {
            askedAt: row.deletion_asked_at.toISOString(),
            dueAt: row.deletion_due_at.toISOString(),
            exportedAt: row.exported_at?.toISOString() ?? null,
            erasingSince: row.erasing_since?.toISOString() ?? null,
          },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** A shop in the operator's list, with its summary. */
export function presentListedShop(row: ShopRow & ShopSummary) {
  return {
    ...presentShop(row),
    summary: {
      balance: row.balance,
      held: row.held,
      isWalletLow: row.balance < (row.low_below ?? LOW_VND),
      messagesIn30Days: row.messages,
      lastActivityAt: row.last_activity_at?.toISOString() ?? null,
      accounts: row.accounts,
      disconnectedAccounts: row.disconnected_accounts,
      disabledWebhooks: row.disabled_webhooks,
    },
  }
}

/** The shop's details that its counter prints and shows. */
function presentProfile(row: ShopProfile) {
  const { address, phone, taxCode, printNote, printPaper, bankBin, bankNumber, bankHolder } = row
  return { address, phone, taxCode, printNote, printPaper, bank: bankOf(bankBin, bankNumber, bankHolder) }
}

function bankOf(bin: string | null, number: string | null, holder: string | null) {
  return bin === null || number === null || holder === null ? null : { bin, number, holder }
}
