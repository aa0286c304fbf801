import { catalogue } from '../../texts/catalogue.ts'

export const connectTexts = catalogue(
  {
    title: 'Kết nối OA',
    connect: 'Kết nối OA',
    connectAgain: 'Kết nối lại',
    done: (name: string) => `Đã kết nối ${name}`,
    failed: 'Chưa kết nối được OA',
    refused: 'Bạn chưa đồng ý trên trang của nền tảng. Hãy kết nối lại khi cần.',
    unknown: 'Đường dẫn này không thuộc lần kết nối nào. Hãy kết nối lại từ trang cài đặt.',
    back: 'Về danh sách OA',
  },
  {
    title: 'Connect an official account',
    connect: 'Connect an official account',
    connectAgain: 'Connect again',
    done: (name: string) => `${name} is connected`,
    failed: 'The official account is not connected',
    refused: 'Consent was not given on the platform’s page. You can connect again at any time.',
    unknown:
      'This address does not belong to a current attempt to connect. Connect again from the settings page.',
    back: 'Back to official accounts',
  },
)
