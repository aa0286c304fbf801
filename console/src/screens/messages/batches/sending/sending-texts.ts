import { catalogue } from '../../../../texts/catalogue.ts'
import { messagesOf, rowsOf } from '../batch-texts.ts'

/** The words for a batch that is about to be sent, that is being sent, or whose sending was interrupted. */
export const sendingTexts = catalogue(
  {
    sendTitle: 'Gửi tin cho khách?',
    messages: 'Số tin',
    template: 'Mẫu tin',
    when: 'Giờ gửi',
    now: 'Ngay bây giờ',
    mostCost: 'Chi phí cao nhất',
    balanceLeft: 'Số dư ví sau khi gửi',
    mostCostHint: 'Tin không tới được thì phí về lại ví. Tin đã gửi không thu hồi được.',
    smsCostHint:
      'Chi phí cao nhất tính cả SMS thay cho tin không tới được. Tin và SMS đều không tới thì phí về lại ví. Tin đã gửi không thu hồi được.',
    back: 'Quay lại',
    unsureTitle: 'Chưa rõ lượt gửi đã được nhận hay chưa',
    unsureHint: (count: string) =>
      `Máy chủ chưa xác nhận ${count} tin: có thể các tin này đã được nhận và đang gửi cho khách. Bấm Gửi lại đúng như vậy: tin nào đã nhận thì không gửi và không tính phí lần nữa. Lượt gửi được giữ nguyên trong trình duyệt này, kể cả khi tải lại trang.`,
    tooOldHint: (count: string) =>
      `Máy chủ chưa xác nhận ${count} tin, và đã quá 23 giờ nên gửi lại có thể thành gửi hai lần. Hãy xem các lượt gửi để biết tin đã được nhận chưa, rồi bỏ lượt này.`,
    stoppedTitle: 'Lượt gửi chưa xong',
    stoppedHint: (count: string) =>
      `Còn ${count} dòng chưa gửi. Lượt gửi được giữ nguyên trong trình duyệt này, kể cả khi tải lại trang.`,
    sendSame: 'Gửi lại đúng như vậy',
    look: 'Xem các lượt gửi',
    saveRest: 'Tải các dòng còn lại',
    restFile: (name: string) => `${name} - dòng còn lại.csv`,
    unsureRow: 'Chưa rõ đã được nhận hay chưa',
    unsentRow: 'Chưa gửi',
    discard: 'Bỏ lượt gửi này',
    unsureRisk: (count: string) =>
      `${count} tin có thể đã được nhận. Nếu bỏ rồi gửi lại, khách có thể nhận hai lần và ví bị trừ phí hai lần. Hãy xem các lượt gửi trước khi bỏ.`,
    restRisk: (count: string) => `${count} dòng chưa gửi sẽ không được gửi.`,
    acceptedRisk: (count: string) =>
      `${count} dòng đã được chuyển và vẫn được gửi: gửi lại các dòng đó là gửi hai lần.`,
    notKept:
      'Chưa gửi tin nào: trình duyệt không lưu được lượt gửi, mà không lưu thì mất kết nối có thể thành gửi hai lần. Hãy giải phóng bộ nhớ của máy hoặc dùng trình duyệt khác.',
  },
  {
    sendTitle: 'Send the messages?',
    messages: 'Messages',
    template: 'Template',
    when: 'When',
    now: 'Now',
    mostCost: 'Highest cost',
    balanceLeft: 'Wallet balance after sending',
    mostCostHint:
      'Fees of messages that do not arrive return to the wallet. Sent messages cannot be recalled.',
    smsCostHint:
      'The highest cost includes SMS in place of messages that cannot be delivered. If neither arrives, the fee returns to the wallet. Sent messages cannot be recalled.',
    back: 'Back',
    unsureTitle: 'The batch may or may not have been accepted',
    unsureHint: (count: string) =>
      `The service has not confirmed ${messagesOf(count)}: they may have been accepted and be on their way to customers. Press Send the same again: what was already accepted is neither sent nor charged again. The batch is kept unchanged in this browser, even if you reload the page.`,
    tooOldHint: (count: string) =>
      `The service has not confirmed ${messagesOf(count)}, and more than 23 hours have passed, so sending again could send them twice. Check the batches to see whether they were accepted, then discard this one.`,
    stoppedTitle: 'The batch is not finished',
    stoppedHint: (count: string) =>
      `${rowsOf(count)} not sent yet. The batch is kept unchanged in this browser, even if you reload the page.`,
    sendSame: 'Send the same again',
    look: 'Check the batches',
    saveRest: 'Download the remaining rows',
    restFile: (name: string) => `${name} - remaining rows.csv`,
    unsureRow: 'It is not known whether it was accepted',
    unsentRow: 'Not sent',
    discard: 'Discard this batch',
    unsureRisk: (count: string) =>
      `${messagesOf(count)} may have been accepted. If you discard this and send again, customers may get the message twice and the wallet may be charged twice. Check the batches first.`,
    restRisk: (count: string) => `${rowsOf(count)} not sent yet will not be sent.`,
    acceptedRisk: (count: string) =>
      `${rowsOf(count)} already submitted will still be sent: do not send them again.`,
    notKept:
      'Nothing was sent: this browser cannot store the batch, and without that a lost connection could send it twice. Free some space on the device or use another browser.',
  },
)
