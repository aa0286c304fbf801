import { catalogue } from '../../../texts/catalogue.ts'

export const galleryTexts = catalogue(
  {
    open: 'Chọn mẫu soạn sẵn',
    title: 'Mẫu soạn sẵn',
    language: 'Ngôn ngữ của tin',
    languages: { vi: 'Tiếng Việt', en: 'Tiếng Anh' },
    replaces: 'Nội dung đang viết sẽ được thay bằng mẫu này.',
    choose: 'Dùng mẫu này',
  },
  {
    open: 'Choose a starter',
    title: 'Starters',
    language: 'Language of the message',
    languages: { vi: 'Vietnamese', en: 'English' },
    replaces: 'This starter replaces what you have written.',
    choose: 'Use this starter',
  },
)
