import { loadModule, parseSync } from 'libpg-query'

await loadModule()

// biome-ignore lint/suspicious/noExplicitAny: the parser's tree, of many hundred kinds of nodes
type Node = any

/** What a name stands for in a statement, and which of its columns are known to contain a value that the caller bound. */
type Relation = {
  name: string
  table: string | undefined
  columns: Set<string> | undefined
  bound: Set<string>
}
/** `later`: checks for the parts inside `from` that see the relations; they run after the equalities are known. */
type Scope = { relations: Relation[]; outer: Scope | undefined; later: (() => void)[] }
type Ctes = Map<string, { columns: Set<string> | undefined; bound: Set<string> }>
type Output = { columns: Set<string> | undefined; bound: Set<string>; ordered: (boolean | undefined)[] }
/** An equality that holds for each row. `into`: it binds only the rows of these relations (outer joins). */
type Equality = { left: Node; right: Node; into: Set<Relation> | undefined }

/**
 * The references to shops' tables in a statement that are not bound to a shop: their `shop_id` is neither equal to a
 * parameter, nor joined by `shop_id` to a bound reference. Only conditions that every row must meet count: the parts of
 * a conjunction in `where` or in a join, and of an outer join only for its optional side. An insert must set `shop_id`
 * from a parameter or from such a row.
 * @param shopTables the tables that have a column `shop_id`
 * @param roots the aliases of references that may stay unbound; all others must be bound to them, or to a parameter
 */
export function unboundTables(
  text: string,
  shopTables: ReadonlySet<string>,
  roots: readonly string[] = [],
): string[] {
  const unbound: string[] = []
  for (const { stmt } of parseSync(text).stmts ?? []) checkStatement(stmt, undefined, new Map())
  return unbound

  function checkStatement(node: Node, outer: Scope | undefined, outerCtes: Ctes): Output {
    const [kind, body] = Object.entries<Node>(node ?? {})[0] ?? ['', undefined]
    const ctes: Ctes = new Map(outerCtes)
    for (const { CommonTableExpr: cte } of body?.withClause?.ctes ?? []) {
      if (body.withClause.recursive)
        ctes.set(cte.ctename, { columns: undefined, bound: new Set(['shop_id']) })
      const output = checkStatement(cte.ctequery, outer, ctes)
      const names = cte.aliascolnames?.map((name: Node) => name.String.sval)
      ctes.set(cte.ctename, names === undefined ? output : renamed(output, names))
    }
    switch (kind) {
      case 'SelectStmt':
        return checkSelect(body, outer, ctes)
      case 'UpdateStmt':
      case 'DeleteStmt':
        return checkChange(body, outer, ctes)
      case 'InsertStmt':
        return checkInsert(body, outer, ctes)
      default:
        return { columns: new Set(), bound: new Set(), ordered: [] }
    }
  }

  function checkSelect(select: Node, outer: Scope | undefined, ctes: Ctes): Output {
    if (select.larg !== undefined) {
      const left = checkStatement({ SelectStmt: select.larg }, outer, ctes)
      const right = checkStatement({ SelectStmt: select.rarg }, outer, ctes)
      const ordered = left.ordered.map((isBound, n) => isBound && right.ordered[n])
      return { ...left, bound: new Set([...left.bound].filter((name) => right.bound.has(name))), ordered }
    }
    if (select.valuesLists !== undefined) {
      const rows: Node[][] = select.valuesLists.map((list: Node) => list.List.items)
      const scope: Scope = { relations: [], outer, later: [] }
      for (const item of rows.flat()) checkInside(item, scope, ctes)
      const ordered = (rows[0] ?? []).map((_, n) => rows.every((row) => isBound(row[n], scope)))
      return { columns: undefined, bound: new Set(), ordered }
    }
    const scope: Scope = { relations: [], outer, later: [] }
    const equalities: Equality[] = []
    for (const item of select.fromClause ?? []) addFrom(item, scope, equalities, ctes)
    addConditions(select.whereClause, equalities, undefined)
    settle(scope, equalities, ctes)
    for (const part of [select.targetList, select.groupClause, select.havingClause, select.sortClause]) {
      checkInside(part, scope, ctes)
    }
    checkInside(select.limitCount, scope, ctes)
    checkInside(select.whereClause, scope, ctes)
    return outputOf(select.targetList ?? [], scope)
  }

  function checkChange(change: Node, outer: Scope | undefined, ctes: Ctes): Output {
    const scope: Scope = { relations: [], outer, later: [] }
    const equalities: Equality[] = []
    addFrom({ RangeVar: change.relation }, scope, equalities, new Map())
    for (const item of change.fromClause ?? change.usingClause ?? []) addFrom(item, scope, equalities, ctes)
    addConditions(change.whereClause, equalities, undefined)
    settle(scope, equalities, ctes)
    checkInside([change.targetList, change.whereClause, change.returningList], scope, ctes)
    return outputOf(returned(change), scope)
  }

  function checkInsert(insert: Node, outer: Scope | undefined, ctes: Ctes): Output {
    const { relname } = insert.relation
    const names: string[] = (insert.cols ?? []).map((column: Node) => column.ResTarget.name)
    const source = checkStatement(insert.selectStmt, outer, ctes)
    const target = relationOf(insert.relation.alias?.aliasname ?? relname, relname)
    names.forEach((name, n) => {
      if (source.ordered[n] === true) target.bound.add(name)
    })
    const conflict = insert.onConflictClause
    const meets = (conflict?.infer?.indexElems ?? []).map((element: Node) => element.IndexElem.name)
    const isKept = conflict?.action !== 'ONCONFLICT_UPDATE' || meets.includes('shop_id')
    if (target.table !== undefined && !(target.bound.has('shop_id') && isKept))
      unbound.push(`insert into ${relname}`)
    const scope: Scope = { relations: [target, relationOf('excluded', relname)], outer, later: [] }
    checkInside([conflict?.targetList, conflict?.whereClause, insert.returningList], scope, ctes)
    return outputOf(returned(insert), { relations: [target], outer, later: [] })
  }

  function relationOf(name: string, table: string): Relation {
    return {
      name,
      table: shopTables.has(table) ? table : undefined,
      columns: undefined,
      bound: rootBinding(name),
    }
  }

  function rootBinding(name: string): Set<string> {
    return new Set(roots.includes(name) ? ['shop_id', 'shopId'] : [])
  }

  function addFrom(item: Node, scope: Scope, equalities: Equality[], ctes: Ctes): Relation[] {
    const [kind, body] = Object.entries(item)[0] as [string, Node]
    const add = (relation: Relation) => {
      scope.relations.push(relation)
      return [relation]
    }
    if (kind === 'RangeVar') {
      const name = body.alias?.aliasname ?? body.relname
      const cte = body.schemaname === undefined ? ctes.get(body.relname) : undefined
      if (cte === undefined) return add(relationOf(name, body.relname))
      return add({ name, table: undefined, columns: cte.columns, bound: new Set(cte.bound) })
    }
    if (kind === 'RangeSubselect') {
      const names = body.alias?.colnames?.map((name: Node) => name.String.sval)
      const look = (outer: Scope | undefined) => {
        const output = checkStatement(body.subquery, outer, ctes)
        return names === undefined ? output : renamed(output, names)
      }
      const relation: Relation = {
        name: body.alias?.aliasname ?? '',
        table: undefined,
        columns: undefined,
        bound: new Set(),
      }
      if (body.lateral) scope.later.push(() => Object.assign(relation, look(scope)))
      else Object.assign(relation, look(scope.outer))
      return add(relation)
    }
    if (kind === 'JoinExpr') {
      const left = addFrom(body.larg, scope, equalities, ctes)
      const right = addFrom(body.rarg, scope, equalities, ctes)
      const into = { JOIN_LEFT: right, JOIN_RIGHT: left, JOIN_FULL: [] as Relation[] }[
        body.jointype as string
      ]
      addConditions(body.quals, equalities, into === undefined ? undefined : new Set(into))
      for (const { String: using } of body.usingClause ?? []) {
        for (const one of left) {
          for (const two of right) {
            const [a, b] = [one, two].map((relation) => columnRef(relation.name, using.sval))
            equalities.push({ left: a, right: b, into: into === undefined ? undefined : new Set(into) })
          }
        }
      }
      checkLater(body.quals)
      return [...left, ...right]
    }
    // The rows of a function. Rows from a parameter's JSON or array contain what the caller sent, which binds nothing.
    const name = body.alias?.aliasname ?? ''
    const listed = [...(body.coldeflist ?? []).map((column: Node) => column.ColumnDef.colname)]
    const columns = [...listed, ...(body.alias?.colnames ?? []).map((column: Node) => column.String.sval)]
    checkLater(body.functions)
    return add({ name, table: undefined, columns: new Set(columns), bound: rootBinding(name) })

    function checkLater(part: Node): void {
      if (part !== undefined) scope.later.push(() => checkInside(part, scope, ctes))
    }
  }

  /** Marks the columns that follow from the equalities until no more are added, then reports the unbound references. */
  function settle(scope: Scope, equalities: Equality[], ctes: Ctes): void {
    follow(scope, equalities, ctes)
    for (const look of scope.later) {
      look()
      follow(scope, equalities, ctes)
    }
    for (const { table, name, bound } of scope.relations) {
      if (table !== undefined && !bound.has('shop_id'))
        unbound.push(name === table ? table : `${table} ${name}`)
    }
  }

  function follow(scope: Scope, equalities: Equality[], ctes: Ctes): void {
    for (let isChanged = true; isChanged; ) {
      isChanged = false
      for (const { left, right, into } of equalities) {
        for (const [from, to] of [
          [left, right],
          [right, left],
        ]) {
          const target = resolve(to, scope)
          if (target === undefined || target.relation.bound.has(target.column)) continue
          if (into !== undefined && !into.has(target.relation)) continue
          if (!scope.relations.includes(target.relation) || !isBound(from, scope, ctes)) continue
          target.relation.bound.add(target.column)
          isChanged = true
        }
      }
    }
  }

  function isBound(node: Node, scope: Scope, ctes?: Ctes): boolean {
    if (node?.ParamRef !== undefined) return true
    if (node?.TypeCast !== undefined) return isBound(node.TypeCast.arg, scope, ctes)
    if (node?.SubLink?.subLinkType === 'EXPR_SUBLINK' && ctes !== undefined) {
      const found = unbound.length
      const isIt = checkStatement(node.SubLink.subselect, scope, ctes).ordered[0] === true
      unbound.length = found
      return isIt
    }
    const column = resolve(node, scope)
    return column?.relation.bound.has(column.column) ?? false
  }

  /** Checks statements inside expressions. */
  function checkInside(node: Node, scope: Scope, ctes: Ctes): void {
    if (node === null || typeof node !== 'object') return
    if (node.SubLink !== undefined) {
      checkInside(node.SubLink.testexpr, scope, ctes)
      checkStatement(node.SubLink.subselect, scope, ctes)
      return
    }
    for (const child of Object.values(node)) checkInside(child, scope, ctes)
  }

  /** Adds the equalities of a conjunction. `x in (select …)` is an equality with the column that the query returns. */
  function addConditions(node: Node, equalities: Equality[], into: Set<Relation> | undefined): void {
    if (node === undefined) return
    if (node.BoolExpr?.boolop === 'AND_EXPR') {
      for (const part of node.BoolExpr.args) addConditions(part, equalities, into)
      return
    }
    const expression = node.A_Expr
    if (expression?.kind === 'AEXPR_OP' && expression.name[0].String.sval === '=') {
      const left: Node[] = expression.lexpr.RowExpr?.args ?? [expression.lexpr]
      const right: Node[] = expression.rexpr.RowExpr?.args ?? [expression.rexpr]
      left.forEach((one, n) => {
        equalities.push({ left: one, right: right[n], into })
      })
    }
    const link = node.SubLink
    if (link?.subLinkType === 'ANY_SUBLINK' && (link.operName?.[0].String.sval ?? '=') === '=') {
      const left: Node[] = link.testexpr.RowExpr?.args ?? [link.testexpr]
      const columns: Node[] = link.subselect.SelectStmt?.targetList ?? []
      left.forEach((one, n) => {
        const select = { ...link.subselect.SelectStmt, targetList: [columns[n]] }
        const right = { SubLink: { subLinkType: 'EXPR_SUBLINK', subselect: { SelectStmt: select } } }
        equalities.push({ left: one, right, into })
      })
    }
  }
}

function returned(body: Node): Node[] {
  return body.returningClause?.exprs ?? body.returningList ?? []
}

/** The relation and column that a reference means: the nearest that can have it. */
function resolve(node: Node, scope: Scope): { relation: Relation; column: string } | undefined {
  if (node?.TypeCast !== undefined) return resolve(node.TypeCast.arg, scope)
  const fields: string[] | undefined = node?.ColumnRef?.fields.map((field: Node) => field.String?.sval)
  const column = fields?.at(-1)
  if (fields === undefined || column === undefined) return undefined
  const name = fields.length > 1 ? fields.at(-2) : undefined
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const can = at.relations.filter((one) =>
      name !== undefined ? one.name === name : (one.columns?.has(column) ?? mayHave(one, column)),
    )
    if (can.length > 0) return { relation: can[0]!, column }
  }
  return undefined
}

/**
 * The columns of tables are not looked up: every shop's table has a shop_id, and no other column is needed without its
 * table.
 */
function mayHave(relation: Relation, column: string): boolean {
  if (relation.table !== undefined || relation.bound.has(column)) return true
  return column !== 'shop_id' && relation.columns === undefined
}

function columnRef(relation: string, column: string): Node {
  return { ColumnRef: { fields: [{ String: { sval: relation } }, { String: { sval: column } }] } }
}

function renamed(output: Output, names: string[]): Output {
  const bound = new Set(names.filter((_, n) => output.ordered[n] === true))
  return { columns: new Set(names), bound, ordered: output.ordered }
}

/** What is known of a list of results: the names of its columns, undefined when not all can be known, and the bound ones. */
function outputOf(targets: Node[], scope: Scope): Output {
  const columns = new Set<string>()
  const bound = new Set<string>()
  let isOpen = false
  const ordered = targets.map(({ ResTarget: { name, val } }): boolean | undefined => {
    const fields: Node[] = val?.ColumnRef?.fields ?? []
    if (fields.some((field) => field.A_Star !== undefined)) {
      const of = fields.length > 1 ? fields[0].String.sval : undefined
      for (const relation of scope.relations.filter((one) => of === undefined || one.name === of)) {
        if (relation.columns === undefined) isOpen = true
        for (const column of relation.columns ?? []) columns.add(column)
        if (relation.table !== undefined) columns.add('shop_id')
        for (const column of relation.bound) bound.add(column)
      }
      return undefined
    }
    const label = name ?? fields.at(-1)?.String?.sval ?? ''
    columns.add(label)
    const source = resolve(val, scope)
    const is = isParameter(val) || (source?.relation.bound.has(source.column) ?? false)
    if (is) bound.add(label)
    return is
  })
  return { columns: isOpen ? undefined : columns, bound, ordered }
}

function isParameter(node: Node): boolean {
  return node?.ParamRef !== undefined || (node?.TypeCast !== undefined && isParameter(node.TypeCast.arg))
}
