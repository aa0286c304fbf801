import { expect, it } from 'vitest'
import { isTagHeld, tagsOf } from './entity-tags.ts'

it('a tag is held alone, in a list, weakly and by *', () => {
  for (const header of ['"x"', 'W/"x"', '"a", "x"', '"a","x" ,', '*', ' * '])
    expect(isTagHeld(header, '"x"'), header).toBe(true)
  for (const header of [undefined, '', 'x', '"y"', '"a" "x"'])
    expect(isTagHeld(header, '"x"'), header).toBe(false)
})

it('a comma inside a tag separates nothing', () => {
  expect(tagsOf('"a,b", W/"c"')).toEqual(['"a,b"', 'W/"c"'])
  expect(isTagHeld('"a,"x",b"', '"x"')).toBe(false)
})

it('a value that is not a list of tags has no tags', () => {
  for (const header of ['', ',', 'x', '"a', '"a" "b"', '*, "a"'])
    expect(tagsOf(header), header).toBeUndefined()
})
