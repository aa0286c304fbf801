import { catalogue } from '../../texts/catalogue.ts'

export const newCustomerTexts = catalogue(
  {
    isOf: (phone: string, name: string) => `Số ${phone} là của khách ${name}.`,
    choose: (name: string) => `Chọn ${name}`,
  },
  {
    isOf: (phone: string, name: string) => `${phone} is the number of ${name}.`,
    choose: (name: string) => `Choose ${name}`,
  },
)
