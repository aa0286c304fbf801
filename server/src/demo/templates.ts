import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import type { ObjectId } from '../lib/object-id.ts'
import { findReviewState, updateReview } from '../modules/templates/review/sql.ts'
import { markSubmitted } from '../modules/templates/review/submission-sql.ts'
import type { TemplateStatus } from '../modules/templates/rules.ts'
import { insertRevision, insertTemplate } from '../modules/templates/sql.ts'
import type { SubmittedTemplate, TemplateDocument } from '../platform/types.ts'
import { OA_ID } from './data.ts'
import type { Pictures } from './pictures.ts'
import type { Seeding } from './seeding.ts'

type Review = 'none' | 'waiting' | 'approved' | 'rejected' | 'disabled'
type DemoTemplate = { document: TemplateDocument; review: Review; rejectReason?: string }

export type ApprovedTemplate = {
  id: ObjectId
  platformTemplateId: string
  pricePhone: number
  priceUid: number
  paramKeys: string[]
}

/** Its addresses are known once the pictures are drawn, see {@link withLogo}. */
const LOGO = { imageType: 'logo', logoLight: '', logoDark: '' } as const

const CUSTOMER = {
  key: 'customer_name',
  label: 'Tên khách hàng',
  techSetting: '1',
  maxLength: 30,
  sampleValue: 'Nguyễn Thị Ánh',
}
const ORDER = {
  key: 'order_code',
  label: 'Mã đơn hàng',
  techSetting: '4',
  maxLength: 30,
  sampleValue: 'DH1024',
}
const TOTAL = {
  key: 'total_amount',
  label: 'Tổng tiền',
  techSetting: '14',
  maxLength: 12,
  sampleValue: '1250000',
}
const OTP = { key: 'otp', label: 'Mã xác thực', techSetting: '12', maxLength: 10, sampleValue: '493027' }
const VOUCHER = {
  key: 'voucher_code',
  label: 'Mã ưu đãi',
  techSetting: '4',
  maxLength: 30,
  sampleValue: 'MOC50K',
}

const offer = {
  title: 'Tặng 50.000đ',
  code: '<voucher_code>',
  condition: 'Đơn từ 500.000đ',
  expiryDate: '31/12/2027',
}

const TEMPLATES: DemoTemplate[] = [
  {
    review: 'approved',
    document: {
      oaId: OA_ID,
      name: 'Xác nhận đơn hàng',
      description: 'Gửi khi đơn hàng được xác nhận',
      title: 'Đơn hàng <order_code> đã được xác nhận',
      tag: '1',
      templateType: 'custom',
      ...LOGO,
      contentBlocks: [
        {
          id: '0d9b6a1e-55c3-4a52-8a43-6f0a53b1c001',
          type: 'paragraph',
          value: 'Cảm ơn <customer_name> đã mua hàng tại Tiệm Nhà Mộc.',
        },
        {
          id: '0d9b6a1e-55c3-4a52-8a43-6f0a53b1c002',
          type: 'table',
          rows: [
            { label: 'Mã đơn', key: '<order_code>', rowType: 0 },
            { label: 'Tổng tiền', key: '<total_amount>', rowType: 1 },
          ],
        },
      ],
      buttons: [{ label: 'Gọi cho tiệm', type: '2', value: '02438250000' }],
      params: [CUSTOMER, ORDER, TOTAL],
      isCustomParams: true,
      note: 'Thông báo cho khách sau khi đặt hàng',
    },
  },
  {
    review: 'approved',
    document: {
      oaId: OA_ID,
      name: 'Mã xác thực đăng nhập',
      title: 'Mã xác thực của bạn',
      tag: '1',
      templateType: 'custom',
      ...LOGO,
      contentBlocks: [
        {
          id: '0d9b6a1e-55c3-4a52-8a43-6f0a53b1c003',
          type: 'paragraph',
          value: 'Mã của bạn là <otp>, có hiệu lực trong 5 phút.',
        },
      ],
      buttons: [],
      params: [OTP],
      isCustomParams: true,
      note: 'Đăng nhập thành viên',
    },
  },
  {
    review: 'waiting',
    document: {
      oaId: OA_ID,
      name: 'Tặng mã sau khi mua',
      title: 'Quà cảm ơn <customer_name>',
      tag: '3',
      templateType: 'voucher',
      ...LOGO,
      contentBlocks: [
        {
          id: '0d9b6a1e-55c3-4a52-8a43-6f0a53b1c004',
          type: 'paragraph',
          value: 'Tiệm gửi tặng bạn một mã cho lần mua tới.',
        },
        { id: '0d9b6a1e-55c3-4a52-8a43-6f0a53b1c005', type: 'voucher', voucher: offer },
      ],
      buttons: [{ label: 'Xem sản phẩm', type: '7', value: 'https://nhamoc.example' }],
      params: [CUSTOMER, VOUCHER],
      voucher: offer,
      isCustomParams: true,
      note: 'Gửi sau khi đơn hoàn tất',
    },
  },
  {
    review: 'rejected',
    rejectReason:
      'Nội dung quảng cáo không được dùng với tag 1;Cần nút bấm thay cho đường dẫn trong nội dung',
    document: {
      oaId: OA_ID,
      name: 'Giảm giá cuối tuần',
      title: 'Giảm giá 20% cuối tuần này',
      tag: '1',
      templateType: 'custom',
      ...LOGO,
      contentBlocks: [
        {
          id: '0d9b6a1e-55c3-4a52-8a43-6f0a53b1c006',
          type: 'paragraph',
          value: '<customer_name> ơi, xem ngay tại https://nhamoc.example nhé.',
        },
      ],
      buttons: [],
      params: [CUSTOMER],
      isCustomParams: true,
    },
  },
  {
    review: 'disabled',
    document: {
      oaId: OA_ID,
      name: 'Nhắc lịch hẹn thử đồ',
      title: 'Lịch hẹn của <customer_name>',
      tag: '2',
      templateType: 'custom',
      ...LOGO,
      contentBlocks: [
        {
          id: '0d9b6a1e-55c3-4a52-8a43-6f0a53b1c007',
          type: 'paragraph',
          value: 'Tiệm chờ bạn đến thử đồ như đã hẹn.',
        },
      ],
      buttons: [],
      params: [CUSTOMER],
      isCustomParams: true,
      note: 'Nhắc lịch',
    },
  },
  {
    review: 'none',
    document: {
      oaId: OA_ID,
      name: 'Mời đánh giá đơn hàng',
      title: 'Bạn hài lòng với đơn <order_code> chứ?',
      tag: '2',
      templateType: 'rating',
      ...LOGO,
      contentBlocks: [
        {
          id: '0d9b6a1e-55c3-4a52-8a43-6f0a53b1c008',
          type: 'paragraph',
          value: 'Ý kiến của bạn giúp tiệm làm tốt hơn mỗi ngày.',
        },
        { id: '0d9b6a1e-55c3-4a52-8a43-6f0a53b1c009', type: 'rating', rating: { items: ratingItems() } },
      ],
      buttons: [],
      params: [ORDER],
      rating: { items: ratingItems() },
      isCustomParams: true,
    },
  },
]

function ratingItems() {
  return [
    {
      star: 5,
      title: 'Rất hài lòng',
      question: 'Bạn thích điều gì nhất?',
      answers: ['Chất lượng', 'Đóng gói'],
      thanks: 'Cảm ơn bạn!',
      description: '',
    },
    {
      star: 1,
      title: 'Chưa hài lòng',
      question: 'Tiệm cần sửa điều gì?',
      answers: ['Giao chậm', 'Sai màu'],
      thanks: 'Tiệm xin lỗi và sẽ gọi lại.',
      description: '',
    },
  ]
}

/** What the platform answered for each submitted template, by its place in the list. */
export type Registered = Map<number, SubmittedTemplate>

/**
 * Hands the demo's templates to the simulator and has them decided as the demo shows them. One is left to
 * be decided by hand at the simulator's review desk.
 */
export async function registerTemplates(
  deps: Pick<Deps, 'platform'>,
  simulatorUrl: string,
  pictures: Pictures,
): Promise<Registered> {
  const control = async (path: string, body: object) => {
    const answer = await fetch(`${simulatorUrl}/control/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`the simulator refused ${path}: ${await answer.text()}`)
  }
  const settings = (await (await fetch(`${simulatorUrl}/control/settings`)).json()) as { reviewMs: number }
  await control('settings', { reviewMs: -1 })
  const registered: Registered = new Map()
  for (const [index, { document, review, rejectReason }] of TEMPLATES.entries()) {
    if (review === 'none') continue
    const oa = { shopId: '', oaId: OA_ID, accessToken: `sim:${OA_ID}` }
    const outcome = await deps.platform.createTemplate(oa, {
      document: withLogo(document, pictures),
      trackingId: `demo-${index}`,
    })
    if (outcome.kind !== 'ok')
      throw new Error(`the simulator did not take a demo template: ${JSON.stringify(outcome)}`)
    const { platformTemplateId } = outcome.data
    registered.set(index, outcome.data)
    if (review === 'approved' || review === 'disabled')
      await control(`templates/${platformTemplateId}/approve`, {})
    if (review === 'disabled') await control(`templates/${platformTemplateId}/status`, { status: 'DISABLE' })
    if (review === 'rejected')
      await control(`templates/${platformTemplateId}/reject`, { reason: rejectReason! })
  }
  await control('settings', { reviewMs: settings.reviewMs })
  return registered
}

/** What the platform says of a submitted template, one word after the other. */
const DECISIONS: Record<Review, TemplateStatus[]> = {
  none: [],
  waiting: [],
  approved: ['ENABLE'],
  rejected: ['REJECTED'],
  disabled: ['ENABLE', 'DISABLE'],
}

/** The templates as they stand after that; without a simulator all are drafts. One more is of the old form (G-19). */
export async function seedTemplates(
  seeding: Seeding,
  registered: Registered | undefined,
): Promise<ApprovedTemplate[]> {
  const { trx, shopId, ids, now } = seeding
  const approved: ApprovedTemplate[] = []
  for (const [index, { document, review, rejectReason }] of TEMPLATES.entries()) {
    const id = ids.next()
    const made = new Date(now.getTime() - (40 - index) * 86_400_000)
    const stored = withLogo(document, seeding.pictures)
    await insertTemplate(trx, shopId, { id, eventId: ids.next(), document: stored, now: made })
    const answer = registered?.get(index)
    if (answer === undefined) continue
    await insertReviewed(seeding, { id, review, document: stored, answer, rejectReason, made })
    if (review === 'approved') {
      approved.push({
        id,
        platformTemplateId: answer.platformTemplateId,
        pricePhone: answer.priceVnd ?? 0,
        priceUid: answer.priceUidVnd ?? 0,
        paramKeys: document.params.map((param) => param.key),
      })
    }
  }
  await insertLegacy(seeding)
  return approved
}

/** Publishes a template and writes the platform's word on it, each with its line in the timeline. */
async function insertReviewed(
  { trx, shopId, ids }: Seeding,
  given: {
    id: ObjectId
    review: Review
    document: TemplateDocument
    answer: SubmittedTemplate
    rejectReason: string | undefined
    made: Date
  },
): Promise<void> {
  const { id, review, document, answer, rejectReason, made } = given
  const stepAt = (step: number) => new Date(made.getTime() + step * 5 * 3_600_000)
  const revisionId = ids.next()
  const published = { id: revisionId, eventId: ids.next(), document, now: stepAt(1) }
  await insertRevision(trx, shopId, { id, status: 'DRAFT' }, published)
  await markSubmitted(trx, shopId, id, revisionId, answer, stepAt(1))
  for (const [index, status] of DECISIONS[review].entries()) {
    await updateReview(trx, shopId, (await findReviewState(trx, shopId, id))!, {
      status,
      isDeleted: false,
      rejectReason,
      previewUrl: answer.previewUrl,
      pricePhone: answer.priceVnd,
      priceUid: answer.priceUidVnd,
      timeoutSeconds: undefined,
      source: 'webhook',
      eventId: ids.next(),
      now: stepAt(index + 2),
    })
  }
}

function withLogo(document: TemplateDocument, { logoLight, logoDark }: Pictures): TemplateDocument {
  return document.imageType === 'logo' ? { ...document, logoLight, logoDark } : document
}

/** As templates were kept before content blocks; imported, so the platform's number is of another company. */
async function insertLegacy({ trx, shopId, ids, now, pictures }: Seeding): Promise<void> {
  const id = ids.next()
  const made = new Date(now.getTime() - 400 * 86_400_000)
  const tables = [
    { label: 'Mã đơn', key: '<order_code>' },
    { label: 'Tổng tiền', key: '<total_amount>' },
  ]
  const paragraphs = [{ value: 'Đơn hàng của <customer_name> đang trên đường giao.', key: 'p1' }]
  const params = [CUSTOMER, ORDER, TOTAL].map(({ key, label }) => ({ key, label }))
  await sql`
    insert into templates (shop_id, id, oa_id, name, title, tag, template_type, image_type, logo_light, logo_dark,
      tables, paragraphs, params, is_custom_params, search, status, is_sync, platform_template_id, preview_url, platform,
      created_at, updated_at)
    values (${shopId}, ${id}, ${OA_ID}, 'Báo giao hàng (mẫu cũ)', 'Đơn hàng đang được giao', '1', 'custom', 'logo',
      ${pictures.logoLight}, ${pictures.logoDark}, ${JSON.stringify(tables)}::jsonb, ${JSON.stringify(paragraphs)}::jsonb,
      ${JSON.stringify(params)}::jsonb, true, 'bao giao hang (mau cu) don hang dang duoc giao', 'DISABLE', true, '100200',
      'https://preview.example/100200', 'chatapp', ${made}, ${made})`.execute(trx)
  await sql`
    insert into template_events (shop_id, id, template_id, from_status, to_status, source, created_at)
    values (${shopId}, ${ids.next()}, ${id}, null, 'DISABLE', 'import', ${made})`.execute(trx)
}
