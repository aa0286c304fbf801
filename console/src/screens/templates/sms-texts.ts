import { catalogue } from '../../texts/catalogue.ts'

export const smsTexts = catalogue(
  {
    title: 'Gửi SMS khi không tới được',
    hint: 'Khi khách không có tài khoản trên nền tảng, đã chặn OA, hoặc nền tảng báo tin không đến được, cửa hàng gửi nội dung này bằng SMS. Phí của tin được hoàn lại, phí SMS chỉ trừ khi SMS đến máy khách.',
    text: 'Nội dung SMS',
    params: (keys: string) =>
      keys === ''
        ? 'Chữ không dấu được nhiều ký tự hơn.'
        : `Có thể dùng: ${keys}. Chữ không dấu được nhiều ký tự hơn.`,
    size: (parts: number, most: number) =>
      parts === most
        ? `Nội dung này là ${parts} SMS.`
        : `Nội dung này là ${parts} SMS, nhiều nhất là ${most} SMS.`,
    price: 'Giá một SMS',
    noSender: 'Cửa hàng chưa có đầu gửi SMS: hãy nhờ người vận hành đặt.',
    none: 'Không gửi SMS.',
    save: 'Lưu nội dung SMS',
    saved: 'Đã lưu nội dung SMS',
    remove: 'Không gửi SMS nữa',
    removeQuestion: 'Bỏ nội dung SMS của mẫu này? Tin không tới được sẽ không được gửi bằng SMS nữa.',
  },
  {
    title: 'SMS when a message cannot be delivered',
    hint: 'If the customer has no account on the platform, has blocked the official account, or the platform reports that the message was not delivered, this text is sent as SMS. The message’s fee is released, and the SMS is charged only when it arrives.',
    text: 'SMS text',
    params: (keys: string) =>
      keys === ''
        ? 'Text without accents holds more characters.'
        : `You can use: ${keys}. Text without accents holds more characters.`,
    size: (parts: number, most: number) =>
      parts === most ? `This text takes ${parts} SMS.` : `This text takes ${parts} SMS, at most ${most}.`,
    price: 'Price of one SMS',
    noSender: 'The shop has no SMS sender: ask the operator to set one.',
    none: 'No SMS is sent.',
    save: 'Save SMS text',
    saved: 'SMS text saved',
    remove: 'Send no SMS',
    removeQuestion:
      'Remove the SMS text of this template? Messages that cannot be delivered will no longer be sent as SMS.',
  },
)
