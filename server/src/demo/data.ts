/** The demo shop's goods, customers and news. Invented. */

export const SHOP_NAME = 'Tiệm Nhà Mộc'
export const OA_ID = '2867019283746501'

export const CATEGORIES = [
  'Thời trang nữ',
  'Thời trang nam',
  'Gốm & bàn ăn',
  'Trà & cà phê',
  'Quà tặng',
] as const
export type CategoryName = (typeof CATEGORIES)[number]

export type DemoProduct = {
  name: string
  category: CategoryName
  /** đồng */
  price: number
  vat: number
  /** Group name → options; the SKUs are all combinations. */
  variants?: Record<string, string[]>
  description: string
}

const SIZES = ['S', 'M', 'L']
const TEA_BAGS = ['100 g', '250 g', '500 g']

function product(
  category: CategoryName,
  vat: number,
  name: string,
  price: number,
  description: string,
  variants?: Record<string, string[]>,
): DemoProduct {
  return { name, category, price, vat, description: `<p>${description}</p>`, ...(variants && { variants }) }
}

export const PRODUCTS: DemoProduct[] = [
  product('Thời trang nữ', 8, 'Áo dài lụa Vạn Phúc', 1_250_000, 'Lụa tơ tằm dệt tại làng Vạn Phúc.', {
    Màu: ['Đỏ', 'Xanh ngọc'],
    Cỡ: SIZES,
  }),
  product('Thời trang nữ', 8, 'Đầm linen cổ vuông', 520_000, 'Linen mềm, mặc mát cả ngày.', {
    Màu: ['Be', 'Nâu đất'],
    Cỡ: SIZES,
  }),
  product('Thời trang nữ', 8, 'Áo sơ mi tay phồng', 340_000, 'Vải cotton, tay phồng nhẹ.', {
    Màu: ['Trắng', 'Hồng phấn'],
    Cỡ: SIZES,
  }),
  product('Thời trang nữ', 8, 'Chân váy xếp ly', 380_000, 'Xếp ly dài qua gối.', { Cỡ: SIZES }),
  product('Thời trang nữ', 8, 'Quần ống rộng đũi', 410_000, 'Đũi tự nhiên, lưng chun.', { Cỡ: SIZES }),
  product('Thời trang nữ', 8, 'Khăn lụa vẽ tay', 290_000, 'Mỗi chiếc vẽ tay một họa tiết.'),
  product('Thời trang nữ', 8, 'Nón lá thêu hoa', 150_000, 'Nón lá Huế thêu hoa sen.'),
  product('Thời trang nữ', 8, 'Túi cói đan tay', 260_000, 'Cói Nga Sơn, quai da.', { Cỡ: ['Nhỏ', 'Lớn'] }),
  product('Thời trang nữ', 8, 'Guốc mộc sơn mài', 320_000, 'Guốc gỗ sơn mài thủ công.', {
    Cỡ: ['36', '37', '38'],
  }),
  product('Thời trang nam', 8, 'Áo thun cổ tròn', 180_000, 'Cotton dày dặn, không nhăn.', {
    Màu: ['Đen', 'Trắng'],
    Cỡ: SIZES,
  }),
  product('Thời trang nam', 8, 'Áo sơ mi đũi nam', 360_000, 'Đũi mát, cổ trụ.', { Cỡ: SIZES }),
  product('Thời trang nam', 8, 'Quần kaki ống đứng', 430_000, 'Kaki co giãn nhẹ.', {
    Cỡ: ['30', '31', '32', '33'],
  }),
  product('Thời trang nam', 8, 'Áo khoác bomber', 650_000, 'Hai lớp, chống gió.', {
    Màu: ['Rêu', 'Đen'],
    Cỡ: ['M', 'L', 'XL'],
  }),
  product('Thời trang nam', 8, 'Thắt lưng da bò', 390_000, 'Da bò thật, khóa đồng.'),
  product('Thời trang nam', 8, 'Ví da khâu tay', 450_000, 'Khâu tay từng mũi.', { Màu: ['Nâu', 'Đen'] }),
  product('Thời trang nam', 8, 'Dép da quai chéo', 520_000, 'Đế cao su tự nhiên.', {
    Cỡ: ['39', '40', '41', '42'],
  }),
  product('Thời trang nam', 8, 'Mũ nồi len', 170_000, 'Len lông cừu pha.'),
  product('Gốm & bàn ăn', 10, 'Bình hoa gốm Bát Tràng', 480_000, 'Men rạn, nung củi.', {
    Màu: ['Men lam', 'Men nâu'],
  }),
  product('Gốm & bàn ăn', 10, 'Bộ ấm chén tử sa', 720_000, 'Một ấm, sáu chén.'),
  product('Gốm & bàn ăn', 10, 'Bát cơm men lam', 65_000, 'Vẽ tay chuồn chuồn.'),
  product('Gốm & bàn ăn', 10, 'Đĩa tròn men hỏa biến', 140_000, 'Mỗi chiếc một màu men.', {
    Cỡ: ['18 cm', '24 cm', '30 cm'],
  }),
  product('Gốm & bàn ăn', 10, 'Đũa gỗ mun (10 đôi)', 120_000, 'Gỗ mun, đánh dầu tự nhiên.'),
  product('Gốm & bàn ăn', 10, 'Khay tre ép', 230_000, 'Tre ép, viền mây.'),
  product('Gốm & bàn ăn', 10, 'Lọ đựng gia vị gốm', 95_000, 'Nắp gỗ kín hơi.'),
  product('Gốm & bàn ăn', 10, 'Cốc gốm quai tròn', 110_000, 'Dung tích 300 ml.', {
    Màu: ['Trắng', 'Xám tro', 'Xanh rêu'],
  }),
  product('Gốm & bàn ăn', 10, 'Chiếu cói dệt tay', 560_000, 'Cói Kim Sơn, khổ 1,6 m.'),
  product('Trà & cà phê', 8, 'Trà sen Tây Hồ', 890_000, 'Ướp bằng sen Bách Diệp.', {
    'Khối lượng': ['50 g', '100 g'],
  }),
  product('Trà & cà phê', 8, 'Trà Shan Tuyết cổ thụ', 350_000, 'Hái từ cây trà trăm tuổi ở Hà Giang.', {
    'Khối lượng': TEA_BAGS,
  }),
  product('Trà & cà phê', 8, 'Trà ô long Lâm Đồng', 220_000, 'Vị thanh, hậu ngọt.', {
    'Khối lượng': TEA_BAGS,
  }),
  product('Trà & cà phê', 8, 'Cà phê Robusta Đắk Lắk', 160_000, 'Rang mộc, đậm vị.', {
    'Khối lượng': TEA_BAGS,
  }),
  product('Trà & cà phê', 8, 'Cà phê Arabica Cầu Đất', 240_000, 'Hương hoa, chua nhẹ.', {
    'Khối lượng': TEA_BAGS,
  }),
  product('Trà & cà phê', 8, 'Phin nhôm pha cà phê', 75_000, 'Phin nhôm dày, bốn lớp.'),
  product('Trà & cà phê', 8, 'Mật ong hoa cà phê', 210_000, 'Nguyên chất, 500 ml.'),
  product('Trà & cà phê', 8, 'Mứt gừng Huế', 90_000, 'Cay nhẹ, ít đường.'),
  product('Trà & cà phê', 8, 'Kẹo dừa Bến Tre', 55_000, 'Gói 400 g.'),
  product('Quà tặng', 10, 'Hộp quà trà và bánh', 650_000, 'Trà sen kèm bánh cốm.'),
  product('Quà tặng', 10, 'Nến thơm quế hồi', 180_000, 'Sáp đậu nành, cháy 40 giờ.', {
    Hương: ['Quế', 'Sả chanh'],
  }),
  product('Quà tặng', 10, 'Sổ tay giấy dó', 130_000, 'Giấy dó làm tay, bìa vải.'),
  product('Quà tặng', 10, 'Tranh Đông Hồ', 200_000, 'In mộc bản trên giấy điệp.', {
    Tranh: ['Đám cưới chuột', 'Gà đàn', 'Lợn đàn'],
  }),
  product('Quà tặng', 10, 'Đèn lồng Hội An', 240_000, 'Khung tre, bọc lụa.', { Màu: ['Đỏ', 'Vàng', 'Tím'] }),
  product('Quà tặng', 10, 'Tò he bột màu', 35_000, 'Nặn tay theo yêu cầu.'),
  product('Quà tặng', 10, 'Hộp sơn mài đựng trang sức', 780_000, 'Sơn mài khảm trứng.'),
]

const FAMILY_NAMES = [
  'Nguyễn',
  'Trần',
  'Lê',
  'Phạm',
  'Hoàng',
  'Huỳnh',
  'Phan',
  'Vũ',
  'Võ',
  'Đặng',
  'Bùi',
  'Đỗ',
  'Hồ',
  'Ngô',
  'Dương',
]
const GIVEN_NAMES = [
  'Thị Ánh',
  'Văn Bình',
  'Quốc Cường',
  'Thùy Dung',
  'Minh Đức',
  'Hương Giang',
  'Thu Hà',
  'Đình Khôi',
  'Mỹ Linh',
  'Hoài Nam',
  'Bảo Ngọc',
  'Hữu Phước',
  'Như Quỳnh',
  'Thanh Sơn',
  'Anh Thư',
  'Khánh Uyên',
  'Tường Vy',
  'Hải Yến',
  'Gia Bảo',
  'Ngọc Diệp',
]

/** The demo's customers: name, and phone number as it is stored. */
export function demoCustomers(count: number): { fullName: string; phone: string; email: string }[] {
  return Array.from({ length: count }, (_, n) => ({
    fullName: `${FAMILY_NAMES[(n * 7) % FAMILY_NAMES.length]} ${GIVEN_NAMES[(n * 3) % GIVEN_NAMES.length]}`,
    phone: `8490${String(3_100_000 + n * 12_347).padStart(7, '0')}`,
    email: n % 3 === 0 ? `khach${n + 1}@example.com` : '',
  }))
}

export const NEWS: { title: string; content: string; status: 'active' | 'inactive'; products: number[] }[] = [
  {
    title: 'Mùa sen Tây Hồ đã về',
    content: '<h2>Trà ướp sen</h2><p>Mỗi ký trà cần một nghìn bông sen, ướp đi ướp lại nhiều lần.</p>',
    status: 'active',
    products: [26, 27],
  },
  {
    title: 'Cách chọn lụa Vạn Phúc',
    content: '<p>Lụa thật mát tay, đốt có mùi tóc cháy và vụn tro mịn.</p>',
    status: 'active',
    products: [0, 5],
  },
  {
    title: 'Gốm Bát Tràng: men và lửa',
    content: '<p>Men rạn sinh ra khi xương gốm và men co lại không đều.</p>',
    status: 'active',
    products: [17, 18, 19],
  },
  {
    title: 'Giờ mở cửa dịp Tết',
    content: '<p>Tiệm nghỉ từ 28 tháng Chạp đến mồng 5 Tết.</p>',
    status: 'active',
    products: [],
  },
  {
    title: 'Chuyện làng tranh Đông Hồ',
    content: '<p>Giấy điệp óng ánh nhờ vỏ sò nghiền mịn.</p>',
    status: 'active',
    products: [38],
  },
  {
    title: 'Pha phin đúng điệu',
    content: '<p>Nước 95 độ, ủ 30 giây rồi mới châm đầy.</p>',
    status: 'active',
    products: [29, 30, 31],
  },
  {
    title: 'Chính sách đổi trả mới',
    content: '<p>Đổi trong 7 ngày nếu còn tem và hóa đơn.</p>',
    status: 'active',
    products: [],
  },
  {
    title: 'Bộ sưu tập thu đông (bản nháp)',
    content: '<p>Đang hoàn thiện hình ảnh.</p>',
    status: 'inactive',
    products: [12],
  },
]
