/** The name of a SKU where its product is not shown: the product's name, and the SKU's own name if it adds something. */
export function lineName({ name, productName }: { name: string; productName: string }): string {
  if (name === '' || name === productName) return productName
  return name.startsWith(productName) ? name : `${productName} - ${name}`
}
