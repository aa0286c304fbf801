import { describe, expect, it } from 'vitest'
import { readText } from '../src/csv.ts'
import { type Misfit, planBatch } from '../src/screens/messages/batches/plan-batch.ts'
import { sheetOfText } from '../src/screens/messages/batches/sheet.ts'

const says = {
  noRecipient: 'no recipient',
  tooLong: (column: string) => `${column} too long`,
  surplus: (fields: number, columns: number) => `${fields} of ${columns}`,
  misfit: ({ key, value }: Misfit) => `${key}: ${value}`,
}
const mapping = {
  channel: 'phone' as const,
  recipient: 0,
  params: { total: 1, shop: { text: ' Tiệm Hoa ' } },
}
const plan = (text: string) => planBatch(sheetOfText(1, 'x.csv', text), mapping, says)

describe('the rows of a batch', () => {
  it('keep their line in the file, also after empty ones and a line that names the separator', () => {
    const { planned, refused } = plan('sep=;\nphone;total\n\n0912;1\n;\n  ;  \n;5\n0913;2')
    expect(planned.map(({ line }) => line)).toEqual([4, 8])
    expect(refused).toMatchObject([{ line: 7, reason: says.noRecipient }])
  })

  it('with more fields than columns are not sent, since their values may have shifted; empty fields at the end are none', () => {
    const { planned, refused } = plan('phone,total\n0912,1,250,000\n0913,2,,\n0914,"1,250,000"')
    expect(refused).toMatchObject([{ line: 2, reason: '4 of 2' }])
    expect(planned.map(({ message }) => message.params)).toEqual([
      { total: '2', shop: 'Tiệm Hoa' },
      { total: '1,250,000', shop: 'Tiệm Hoa' },
    ])
  })

  it('all have the text that was typed for all', () => {
    expect(plan('phone,total\n0912,1\n0913,').planned.map(({ message }) => message)).toEqual([
      { receiverPhone: '0912', params: { total: '1', shop: 'Tiệm Hoa' } },
      { receiverPhone: '0913', params: { shop: 'Tiệm Hoa' } },
    ])
  })
})

describe('a file that cannot be read', () => {
  const faultOf = async (...bytes: number[]) => {
    const sheet = sheetOfText(1, 'x', await readText(new Blob([new Uint8Array(bytes)])))
    expect(sheet.rows).toEqual([])
    return sheet.fault
  }
  const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0))

  it('has no rows and says why: a quote that is never closed, with its line', () => {
    const sheet = sheetOfText(1, 'x', 'phone,name\n0912,a\n0913,"b\n0914,c')
    expect([sheet.rows, sheet.fault]).toEqual([[], { kind: 'quote', line: 3 }])
    expect(sheetOfText(1, 'x', 'phone,name\n0912,"a ""b"""').fault).toBeUndefined()
  })

  it('a workbook of either format, and another encoding than UTF-8 and UTF-16', async () => {
    expect(await faultOf(...ascii('PK'), 3, 4, 20, 0)).toEqual({ kind: 'workbook' })
    expect(await faultOf(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)).toEqual({ kind: 'workbook' })
    expect(await faultOf(...ascii('phone,name\n0912,Tr'), 0xe2, 0x6e)).toEqual({ kind: 'encoding' })
    expect(await faultOf(...ascii('a,b\n1,2').flatMap((letter) => [letter, 0]))).toEqual({ kind: 'encoding' })
  })
})
