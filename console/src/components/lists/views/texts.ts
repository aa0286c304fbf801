import { catalogue } from '../../../texts/catalogue.ts'

export const viewTexts = catalogue(
  {
    title: 'Bộ lọc đã lưu',
    present: 'Tên cho bộ lọc đang dùng',
    presentHint: 'Lưu cả từ tìm kiếm và cách sắp xếp, chỉ cho riêng bạn, trên mọi thiết bị.',
    nothing: 'Hãy lọc, tìm hoặc sắp xếp danh sách, rồi lưu lại tại đây.',
    isSaved: (name: string) => `Bộ lọc đang dùng đã lưu với tên “${name}”.`,
    full: (most: number) => `Mỗi danh sách lưu được nhiều nhất ${most} bộ lọc. Hãy xóa bớt rồi lưu.`,
    name: (at: number) => `Tên bộ lọc ${at}`,
    remove: (name: string) => `Xóa bộ lọc ${name}`,
    needed: 'Hãy nhập tên.',
    twice: 'Đã có bộ lọc tên này.',
  },
  {
    title: 'Saved views',
    present: 'Name for the current view',
    presentHint: 'Saves filters, search and sort order, only for you, on all your devices.',
    nothing: 'Filter, search or sort the list, then save it here.',
    isSaved: (name: string) => `The current view is saved as “${name}”.`,
    full: (most: number) => `A list can have up to ${most} saved views. Delete one first.`,
    name: (at: number) => `Name of view ${at}`,
    remove: (name: string) => `Delete view ${name}`,
    needed: 'Enter a name.',
    twice: 'A view with this name already exists.',
  },
)
