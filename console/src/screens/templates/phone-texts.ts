import { catalogue } from '../../texts/catalogue.ts'

export const phoneTexts = catalogue(
  {
    preview: 'Xem trước tin nhắn',
    ground: 'Nền điện thoại',
    light: 'Nền sáng',
    dark: 'Nền tối',
    code: 'Mã',
    from: 'Từ',
    until: 'Đến',
    rating: 'Đánh giá của bạn',
    noTitle: 'Tiêu đề tin nhắn',
  },
  {
    preview: 'Message preview',
    ground: 'Phone background',
    light: 'Light',
    dark: 'Dark',
    code: 'Code',
    from: 'From',
    until: 'Until',
    rating: 'Your rating',
    noTitle: 'The message’s title',
  },
)
