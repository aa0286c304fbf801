import { catalogue } from '../../../texts/catalogue.ts'

export const removedTexts = catalogue(
  {
    lostTitle: 'Bỏ phiên bản còn hàng?',
    movedTitle: 'Chuyển hàng sang phiên bản mới?',
    inStock: (pieces: string, reserved: string | undefined) =>
      `${pieces} cái trong kho${reserved === undefined ? '' : ` (${reserved} đã giữ cho đơn)`}`,
    lost: (name: string, stock: string) =>
      `Phiên bản “${name}” còn ${stock}. Bỏ phiên bản này thì số hàng đó vẫn tính vào tồn kho nhưng không bán được nữa.`,
    lostHint:
      'Nên giữ lại, xuất hết số hàng đó trước: mục Tồn kho, “Nhập, xuất, kiểm kho”, “Xuất”. Nếu hàng vẫn còn, hãy nhập số đó cho phiên bản khác.',
    moved: (name: string, stock: string, into: string) =>
      `“${name}” còn ${stock}. Số hàng này chuyển sang phiên bản “${into}”.`,
    movedHint:
      'Lưu xong, hãy nhập số lượng của từng phiên bản: mục Tồn kho, “Nhập, xuất, kiểm kho”, “Kiểm kho”.',
    keep: 'Giữ lại',
    remove: 'Bỏ',
    back: 'Quay lại',
    move: 'Chuyển hàng và lưu',
  },
  {
    lostTitle: 'Remove variants with stock?',
    movedTitle: 'Move the stock to a new variant?',
    inStock: (pieces: string, reserved: string | undefined) =>
      `${pieces} in stock${reserved === undefined ? '' : ` (${reserved} reserved for orders)`}`,
    lost: (name: string, stock: string) =>
      `The variant “${name}” has ${stock}. If it is removed, they still count as stock, but can no longer be sold.`,
    lostHint:
      'It is better to keep it and issue its stock first: Stock, “Receive, issue, count”, “Issue”. If the goods still exist, receive them for another variant.',
    moved: (name: string, stock: string, into: string) =>
      `“${name}” has ${stock}. They move to the variant “${into}”.`,
    movedHint: 'Then enter the quantity of each variant: Stock, “Receive, issue, count”, “Count”.',
    keep: 'Keep',
    remove: 'Remove',
    back: 'Back',
    move: 'Move stock and save',
  },
)
