/** What is wrong with a number that was typed. */
export const wrongNumberTexts = {
  vi: {
    notWhole: 'Hãy nhập số nguyên, không có dấu phẩy hay dấu chấm.',
    outOfRange: (least: string, most: string) => `Hãy nhập số từ ${least} đến ${most}.`,
  },
  en: {
    notWhole: 'Enter a whole number, without a comma or a point.',
    outOfRange: (least: string, most: string) => `Enter a number from ${least} to ${most}.`,
  },
}
