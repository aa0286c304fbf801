import { catalogue } from '../../../texts/catalogue.ts'

export const unfinishedTexts = catalogue(
  {
    tab: 'Viết dở',
    kept: 'Đã lưu bản viết dở. Bạn có thể viết tiếp ở bất kỳ máy nào.',
    nameless: 'Chưa đặt tên',
    emptyTitle: 'Không có mẫu viết dở',
    emptyHint: 'Mẫu lưu nháp khi còn thiếu nội dung sẽ ở đây, để viết tiếp sau.',
    remove: (name: string) => `Xóa bản viết dở: ${name}`,
    question: 'Xóa bản viết dở này? Không thể lấy lại.',
    removed: 'Đã xóa bản viết dở',
  },
  {
    tab: 'Unfinished',
    kept: 'Kept unfinished. You can continue on any computer.',
    nameless: 'No name yet',
    emptyTitle: 'No unfinished templates',
    emptyHint: 'A template that still lacks something is kept here, so that you can continue later.',
    remove: (name: string) => `Delete unfinished: ${name}`,
    question: 'Delete this unfinished template? This cannot be undone.',
    removed: 'Unfinished template deleted',
  },
)
