type Codes = { itemSku?: string; sku?: string; barcode?: string }
const FIELDS = ['itemSku', 'sku', 'barcode'] as const

/**
 * The product or SKU with its codes as they are stored: without white space at their ends, which nobody sees, so that two
 * records cannot have what looks like one code (G-39). Codes that are absent stay absent.
 */
export function withStoredCodes<Sent extends Codes>(sent: Sent): Sent {
  const stored = { ...sent }
  for (const field of FIELDS) if (sent[field] !== undefined) stored[field] = sent[field].trim()
  return stored
}
