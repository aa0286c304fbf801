import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { categoryPaths } from '../../server/src/modules/product-files/format/category-paths.ts'
import { missingCategories } from '../src/screens/products/import/category-cells.ts'

type Node = { _id: string; name: string; parentId: string | null }

const idOf = (at: number) => at.toString(16).padStart(24, '0')
const clothes = { _id: idOf(1), name: 'Quần áo', parentId: null }
const shirts = { _id: idOf(2), name: 'Áo thun', parentId: clothes._id }
const men = { _id: idOf(3), name: 'Nam', parentId: shirts._id }
const shoes = { _id: idOf(4), name: 'Giày', parentId: null }
const menShoes = { _id: idOf(5), name: 'Nam', parentId: shoes._id }
const tree: Node[] = [clothes, shirts, men, shoes, menShoes]

/** The tree after what is missing has been created. */
function withNew(categories: Node[], cells: string[]): Node[] {
  const made: Node[] = []
  for (const { name, parent } of missingCategories(cells, categories)) {
    const parentId = parent === null ? null : 'id' in parent ? parent.id : made[parent.at]!._id
    made.push({ _id: idOf(1000 + made.length), name, parentId })
  }
  return [...categories, ...made]
}

function found(categories: Node[], cell: string): string | undefined {
  return categoryPaths(
    categories.map(({ _id, name, parentId }) => ({ id: _id, name, parent_id: parentId })),
  ).find(cell)
}

describe('the categories that a file names and the shop does not have', () => {
  it('are created once each, parents first, below the categories that exist', () => {
    expect(missingCategories(['Quần áo > Áo khoác', 'Đồ chơi > Gỗ', 'Đồ chơi>Gỗ', 'Đồ chơi'], tree)).toEqual([
      { name: 'Áo khoác', parent: { id: clothes._id }, path: 'Quần áo > Áo khoác' },
      { name: 'Đồ chơi', parent: null, path: 'Đồ chơi' },
      { name: 'Gỗ', parent: { at: 1 }, path: 'Đồ chơi > Gỗ' },
    ])
  })

  it('are one category however two cells write its parent', () => {
    expect(missingCategories(['Quần áo > Áo thun > Nữ', 'Áo thun > Nữ > Trẻ em'], tree)).toEqual([
      { name: 'Nữ', parent: { id: shirts._id }, path: 'Quần áo > Áo thun > Nữ' },
      { name: 'Trẻ em', parent: { at: 0 }, path: 'Áo thun > Nữ > Trẻ em' },
    ])
  })

  it('continue a category whose path ends like the cell, and read an escaped > as part of a name', () => {
    expect(missingCategories(['Áo thun > Nữ', 'A \\> B'], tree)).toEqual([
      { name: 'Nữ', parent: { id: shirts._id }, path: 'Áo thun > Nữ' },
      { name: 'A > B', parent: null, path: 'A > B' },
    ])
  })

  it('leave out what several match, a known one, an unknown id, an empty name and more than five levels', () => {
    const cells = ['Nam', 'Nam > Trẻ em', 'Giày', idOf(77), 'Giày > ', '', 'a > b > c > d > e > f']
    expect(missingCategories(cells, tree)).toEqual([])
    expect(missingCategories(['Quần áo > Áo thun > Nam > Trẻ em > Sơ sinh > Gái'], tree)).toEqual([])
  })

  it('are found by the service afterwards, except a path that is also a part of another cell’s', () => {
    const cell = fc
      .array(fc.constantFrom('Quần áo', 'Áo thun', 'Nam', 'Giày', 'Nữ', 'Mới'), {
        minLength: 1,
        maxLength: 3,
      })
      .map((names) => names.join(' > '))
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 6 }), (cells) => {
        const after = withNew(tree, cells)
        for (const one of cells) {
          const isPartOfAnother = cells.some(
            (other) => other !== one && ` > ${other} > `.includes(` > ${one} > `),
          )
          if (isPartOfAnother || missingCategories([one], tree).length === 0) continue
          expect(found(after, one), one).toBeDefined()
        }
        const names = after.map(({ name, parentId }) => `${parentId} ${name}`)
        expect(new Set(names).size).toBe(names.length)
      }),
      { numRuns: 2_000 },
    )
  })
})
