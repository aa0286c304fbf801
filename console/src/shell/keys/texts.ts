import { catalogue } from '../../texts/catalogue.ts'

export const keyTexts = catalogue(
  {
    anywhere: 'Ở mọi trang',
    inLists: 'Trong danh sách',
    keys: {
      find: 'tìm nhanh',
      legend: 'bảng phím tắt này',
      close: 'đóng',
      next: 'dòng sau',
      previous: 'dòng trước',
      open: 'mở dòng',
      select: 'chọn dòng',
      search: 'đến ô tìm kiếm',
    },
  },
  {
    anywhere: 'On every screen',
    inLists: 'In lists',
    keys: {
      find: 'search everything',
      legend: 'these shortcuts',
      close: 'close',
      next: 'next row',
      previous: 'previous row',
      open: 'open the row',
      select: 'select the row',
      search: 'search field',
    },
  },
)
