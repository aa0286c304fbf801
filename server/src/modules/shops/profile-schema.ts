import { Type } from 'typebox'
import { literals, nameText } from '../../http/validation/validate.ts'

const line = (maxLength: number, description?: string) =>
  Type.String({ maxLength, ...(description === undefined ? {} : { description }) })

const bank = Type.Union(
  [
    Type.Object(
      {
        bin: Type.String({ pattern: '^[0-9]{6}$', description: "The bank's BIN at NAPAS" }),
        number: Type.String({ pattern: '^[0-9A-Za-z]{1,19}$', description: "The account's number" }),
        holder: nameText(100),
      },
      { additionalProperties: false },
    ),
    Type.Null(),
  ],
  { description: 'The account that transfers go to, for VietQR; null: none' },
)

/** The shop's details that its counter prints and shows. */
export const profileFields = {
  address: line(300),
  phone: line(50, 'As it is printed'),
  taxCode: line(20),
  printNote: line(500, 'The last lines of what the counter prints'),
  printPaper: literals(['58', '80', 'a5'], { description: 'Paper of 58 or 80 mm, or A5' }),
  bank,
}
