/**
 * The tables in the order in which a shop's rows can be deleted: each before the tables that its rows refer to. Tables
 * that refer to no other table come last: deletions may write to them.
 */
export function inOrderOfDeletion<Table extends { table: string; parents: string[] }>(
  tables: Table[],
): Table[] {
  const left = new Map(tables.map((one) => [one.table, one]))
  const ordered: Table[] = []
  const take = (isNext: (one: Table) => boolean) => {
    const next = [...left.values()].filter(isNext)
    for (const one of next) left.delete(one.table)
    ordered.push(...next)
    return next.length > 0
  }
  const isParent = ({ table }: Table) => [...left.values()].some(({ parents }) => parents.includes(table))
  while (take((one) => one.parents.length > 0 && !isParent(one))) {
    // Repeat until only tables that refer to no other table are left.
  }
  take(() => true)
  return ordered
}
