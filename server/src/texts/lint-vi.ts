import type { LintTexts } from './lint-en.ts'

export const lintVi: LintTexts = {
  rule: {
    content: {
      says: 'là bắt buộc',
      fix: 'Hãy thêm {type} với nội dung cần hiển thị, hoặc đặt templateType là "custom".',
    },
    contentSize: {
      says: 'chỉ được có tối đa {most} ký tự tính chung mọi khối',
      fix: 'Hãy viết ngắn lại hoặc bỏ bớt khối.',
    },
    officialAccount: {
      says: 'phải là Official Account đã liên kết với cửa hàng này',
      fix: 'Hãy liên kết tài khoản đó với cửa hàng, hoặc chọn một tài khoản đã liên kết.',
    },
    shownBlock: {
      says: 'phải có một khối {type} với nội dung giống hệt "{type}"',
      fix: 'Hãy thêm một khối loại "{type}" lặp lại {type} của mẫu tin.',
    },
    buttonPhone: {
      says: 'là bắt buộc với nút loại {type}',
      fix: 'Hãy nhập số điện thoại mà nút sẽ gọi.',
    },
    buttonAddress: {
      says: 'là bắt buộc với nút loại {type}',
      fix: 'Hãy nhập địa chỉ mà nút sẽ mở.',
    },
    techSetting: {
      says: 'là bắt buộc',
      fix: 'Hãy chọn loại giá trị của <{key}>, từ "1" đến "15".',
    },
    images: {
      says: 'phải có ít nhất 1 hình khi ảnh đầu tin là hình ảnh',
      fix: 'Hãy thêm một hình, hoặc chọn logo làm ảnh đầu tin.',
    },
    logoLight: {
      says: 'là bắt buộc khi ảnh đầu tin là logo',
      fix: 'Hãy thêm địa chỉ logo dùng trên nền sáng.',
    },
    logoDark: {
      says: 'là bắt buộc khi ảnh đầu tin là logo',
      fix: 'Hãy thêm địa chỉ logo dùng trên nền tối.',
    },
    address: {
      says: 'phải là một địa chỉ web hợp lệ',
      fix: 'Hãy nhập địa chỉ đầy đủ, bắt đầu bằng https:// hoặc http://.',
    },
    blockId: { says: 'phải là một UUID hợp lệ', fix: 'Hãy đặt cho mỗi khối một UUID riêng.' },
    blockIdTwice: { says: 'đã là id của một khối khác', fix: 'Hãy đặt cho mỗi khối một UUID riêng.' },
    blockContent: {
      says: 'là bắt buộc',
      fix: 'Hãy thêm {field}: đó là nội dung của khối loại "{type}".',
    },
    voucherDate: {
      says: 'phải là ngày/tháng/năm, giờ:phút ngày/tháng/năm, giờ:phút:giây ngày/tháng/năm hoặc ISO 8601, hoặc đúng một <tham_số>',
      fix: 'Ví dụ, hãy viết 31/12/2030, hoặc tên một tham số như <expiry>.',
    },
    voucherDates: {
      says: 'không được trước startDate',
      fix: 'Hãy chọn expiryDate sau startDate.',
    },
    starTwice: {
      says: 'đã là số sao của một mục khác',
      fix: 'Hãy giữ một mục cho mỗi mức sao, từ 1 đến 5.',
    },
    paramKey: {
      says: 'chỉ được gồm chữ cái, chữ số và dấu gạch dưới',
      fix: 'Hãy viết tên không có dấu ngoặc nhọn và khoảng trắng, ví dụ order_code.',
    },
    paramKeyTwice: {
      says: 'đã là tên của một tham số khác',
      fix: 'Hãy đổi tên hoặc xóa một trong hai tham số.',
    },
    maxLength: {
      says: 'phải là {maxLength} với loại dữ liệu {techSetting}',
      fix: 'Hãy bỏ trống độ dài này: loại dữ liệu đã quy định nó.',
    },
    undeclaredParam: {
      says: 'dùng <{key}> nhưng mẫu tin chưa khai báo tham số này',
      fix: 'Hãy khai báo tham số {key}, hoặc sửa lại tên cho đúng.',
    },
    noSystemParam: {
      says: 'dùng <{key}> nhưng đó không phải tham số của hệ thống',
      fix: 'Hãy dùng tham số của hệ thống, hoặc đặt isCustomParams là true và khai báo tham số này trong params.',
    },
    olderForm: {
      says: 'là bắt buộc',
      fix: 'Mẫu tin này ở dạng cũ: hãy nhân bản mẫu, hoặc cập nhật mẫu với contentBlocks.',
    },
  },
  shape: {
    oneOf: 'Hãy dùng một trong các giá trị {all}; giá trị hiện tại là {sent}.',
    boolean: 'Hãy nhập true hoặc false; giá trị hiện tại là {sent}.',
    text: 'Hãy nhập văn bản; giá trị hiện tại là {sent}.',
    empty: 'Hãy nhập nội dung, hoặc bỏ trường này nếu được phép.',
    tooLong: 'Hãy rút ngắn còn tối đa {most} ký tự; hiện có {count} ký tự.',
    marks: 'Hãy xóa bớt dấu trong văn bản này: chỉ được có tối đa {most} dấu liền nhau trên một chữ.',
    unstorable: 'Hãy xóa các ký tự NUL và ký tự Unicode hỏng khỏi văn bản này.',
    integer: 'Hãy nhập số nguyên; giá trị hiện tại là {sent}.',
    range: 'Hãy nhập số nguyên từ {least} đến {most}; giá trị hiện tại là {sent}.',
    list: 'Hãy nhập một danh sách; giá trị hiện tại là {sent}.',
    tooFew: 'Hãy thêm mục: cần ít nhất {least} mục.',
    tooMany: 'Hãy giữ tối đa {most} mục; hiện có {count} mục.',
    object: 'Hãy nhập một đối tượng; giá trị hiện tại là {sent}.',
    'missing string': 'Hãy thêm trường này: cần một văn bản.',
    'missing integer': 'Hãy thêm trường này: cần một số nguyên.',
    'missing boolean': 'Hãy thêm trường này: cần true hoặc false.',
    'missing array': 'Hãy thêm trường này: cần một danh sách, có thể rỗng.',
    'missing object': 'Hãy thêm trường này: cần một đối tượng.',
    unknown: 'Hãy xóa trường này: ở đây chỉ có các trường {known}.',
  },
  sent: { list: 'một danh sách', object: 'một đối tượng' },
  limit: {
    tooShort: '{part} có {length} ký tự; hãy viết dài hơn, từ {min} đến {max} ký tự.',
    tooLong: '{part} có {length} ký tự; hãy rút ngắn, từ {min} đến {max} ký tự.',
    noParams: '{part} không dùng được tham số; hãy viết nội dung cố định.',
    titleParams: 'Tiêu đề dùng {count} tham số; nền tảng nhận tối đa 4.',
    ratingTag: 'Mẫu đánh giá thuộc nhóm nội dung “Chăm sóc khách hàng”; hãy đặt tag là "2".',
    ratingImages: 'Mẫu đánh giá không hiển thị được ảnh; hãy dùng logo.',
    images: 'Hãy dùng từ 1 đến 3 ảnh; hiện có {count}.',
    imagesButton: 'Mẫu tin có ảnh cần ít nhất một nút.',
    paragraphs: 'Hãy viết từ 1 đến 4 đoạn văn; hiện có {count}.',
    paragraphParams: 'Các đoạn văn dùng tổng cộng {count} tham số; nền tảng nhận tối đa 10.',
    tables: 'Nền tảng chỉ nhận một bảng; hãy chuyển các dòng này vào bảng đầu tiên.',
    rows: 'Một bảng có từ 2 đến 8 dòng; bảng này có {count}.',
    rowParams: 'Nội dung của dòng dùng {count} tham số; mỗi dòng chỉ dùng một.',
    ratingItems: 'Nền tảng cần đúng 5 mục, mỗi mức sao một mục; hiện có {count}.',
    answers: 'Hãy đưa ra tối đa 5 câu trả lời; hiện có {count}.',
    buttons: 'Nền tảng nhận tối đa 2 nút; hiện có {count}.',
    note: 'Hãy thêm ghi chú từ 1 đến 400 ký tự để người duyệt biết mẫu tin dùng vào việc gì.',
  },
  hint: {
    link: 'Có đường dẫn {link}; người duyệt không nhận đường dẫn trong nội dung. Hãy chuyển thành nút bấm.',
    advertising:
      'Có “{word}”; người duyệt coi là quảng cáo, không dùng với nhóm nội dung “Giao dịch” (tag 1). Hãy viết khác đi hoặc đổi nhóm nội dung.',
    otpType: '<{key}> có tên của mã xác thực; hãy chọn loại dữ liệu OTP.',
    phoneType: '<{key}> có tên của số điện thoại; hãy chọn loại dữ liệu số điện thoại.',
    moneyType: '<{key}> có tên của số tiền; hãy chọn loại dữ liệu tiền.',
    linkType: '<{key}> có tên của đường dẫn; hãy chọn loại dữ liệu đường dẫn.',
    brokenPlace:
      '“{place}” không phải là chỗ của tham số, nên khách sẽ thấy nguyên văn. Tham số viết liền trong dấu < >, chỉ gồm chữ, số và gạch dưới, ví dụ <ten_khach>.',
    otpTag: 'Tin có mã xác thực là tin giao dịch; hãy chọn nhóm nội dung “Giao dịch” (tag 1).',
  },
  part: {
    name: 'Tên mẫu tin',
    title: 'Tiêu đề',
    paragraph: 'Đoạn văn',
    rowLabel: 'Nhãn của dòng',
    rowText: 'Nội dung của dòng',
    voucherTitle: 'Tên của voucher',
    voucherCondition: 'Điều kiện của voucher',
    voucherCode: 'Mã của voucher',
    starTitle: 'Tiêu đề của mức sao',
    question: 'Câu hỏi',
    answer: 'Câu trả lời',
    thanks: 'Lời cảm ơn',
    description: 'Phần mô tả',
    buttonLabel: 'Nhãn của nút',
    note: 'Ghi chú',
  },
}
