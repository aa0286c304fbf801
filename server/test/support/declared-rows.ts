import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Node, SyntaxKind, type TypeNode } from 'typescript/unstable/ast'
import {
  API,
  type Checker,
  type Type,
  TypeFlags,
  type TypeReference,
  type UnionType,
} from 'typescript/unstable/sync'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const SOURCES = resolve(ROOT, 'server/src')

/**
 * A property of a row type. `kinds` are such as `string`, `Date` or `number[]`; `values` is present when only these
 * texts are allowed.
 */
export type DeclaredColumn = {
  name: string
  kinds: string[]
  values: string[] | undefined
  isNullable: boolean
  isOptional: boolean
}
/** The row types of a function's `sql<Row>` statements, by the function, such as `modules/access/keys/sql.ts findKey`. */
export type DeclaredRows = Record<string, DeclaredColumn[][]>

/** Reads the row types of all statements in our sources from the compiler. Takes 2 s. */
export function readDeclaredRows(): DeclaredRows {
  const api = new API({ cwd: ROOT })
  try {
    const { program, checker } = api
      .updateSnapshot({ openProject: resolve(ROOT, 'tsconfig.json') })
      .getProjects()[0]!
    const rows: DeclaredRows = {}
    for (const path of program.getSourceFileNames()) {
      const name = relative(SOURCES, path)
      const file = name.startsWith('..') ? undefined : program.getSourceFile(path)
      if (file === undefined || !/\bsql<|: sql\b/.test(file.text)) continue
      const visit = (node: Node, maker: string): void => {
        const inside = nameOf(node) ?? maker
        const row = rowTypeOf(node)
        const columns = row === undefined ? [] : columnsOf(checker, checker.getTypeFromTypeNode(row))
        const own = `${name} ${inside}`
        if (columns.length > 0) rows[own] = [...(rows[own] ?? []), columns]
        node.forEachChild((child) => visit(child, inside))
      }
      file.forEachChild((node) => visit(node, ''))
    }
    return rows
  } finally {
    api.close()
  }
}

function nameOf(node: Node): string | undefined {
  if (node.kind !== SyntaxKind.FunctionDeclaration && node.kind !== SyntaxKind.MethodDeclaration)
    return undefined
  return (node as Node & { name?: { text: string } }).name?.text
}

/** The `Row` of `sql<Row>`. */
function rowTypeOf(node: Node): TypeNode | undefined {
  if (node.kind !== SyntaxKind.TaggedTemplateExpression) return undefined
  const { tag, typeArguments } = node as Node & {
    tag: { text?: string }
    typeArguments?: readonly TypeNode[]
  }
  return tag.text === 'sql' ? typeArguments?.[0] : undefined
}

/**
 * The properties of an object type. A union has the properties of any of its members, because a row of another kind has
 * null there.
 */
function columnsOf(checker: Checker, type: Type | undefined): DeclaredColumn[] {
  if (type === undefined) return []
  const columns = new Map<string, DeclaredColumn>()
  for (const one of partsOf(type)) {
    if ((one.flags & (TypeFlags.Object | TypeFlags.Intersection)) === 0) continue
    const properties = checker.getPropertiesOfType(one)
    const types = checker.getTypeOfSymbol(properties)
    properties.forEach((property, n) => {
      const parts = partsOf(types[n]!)
      const known = columns.get(property.name)
      const own = parts.filter((part) => (part.flags & TypeFlags.Nullable) === 0)
      const isText = own.length > 0 && own.every((part) => part.flags & TypeFlags.StringLiteral)
      const values = isText ? own.map((part) => String((part as Type & { value: string }).value)) : undefined
      const hasValues = values !== undefined && (known === undefined || known.values !== undefined)
      columns.set(property.name, {
        name: property.name,
        kinds: [...new Set([...(known?.kinds ?? []), ...own.map((part) => kindOf(checker, part))])],
        values: hasValues || own.length === 0 ? [...(known?.values ?? []), ...(values ?? [])] : undefined,
        isNullable: (known?.isNullable ?? false) || parts.some((part) => part.flags & TypeFlags.Null),
        isOptional: (known?.isOptional ?? false) || parts.some((part) => part.flags & TypeFlags.Undefined),
      })
    })
  }
  return [...columns.values()]
}

function partsOf(type: Type): readonly Type[] {
  return type.flags & TypeFlags.Union ? (type as UnionType).getTypes() : [type]
}

function kindOf(checker: Checker, type: Type): string {
  if (type.flags & (TypeFlags.String | TypeFlags.StringLiteral)) return 'string'
  if (type.flags & (TypeFlags.Number | TypeFlags.NumberLiteral)) return 'number'
  if (type.flags & (TypeFlags.Boolean | TypeFlags.BooleanLiteral)) return 'boolean'
  if (type.flags & TypeFlags.AnyOrUnknown) return 'unknown'
  if (!checker.isArrayType(type)) return checker.typeToString(type).replace(/<.*>$/, '')
  const [element] = checker.getTypeArguments(type as TypeReference)
  const kinds = new Set(partsOf(element!).map((part) => kindOf(checker, part)))
  return `${kinds.size === 1 ? [...kinds][0] : 'object'}[]`
}
