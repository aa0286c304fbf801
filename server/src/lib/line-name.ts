/** What a SKU is called where its product is not shown beside it: the product's name, and the SKU's where it adds to that. */
export function lineName({ name, productName }: { name: string; productName: string }): string {
  if (name === '' || name === productName) return productName
  return name.startsWith(productName) ? name : `${productName} - ${name}`
}
