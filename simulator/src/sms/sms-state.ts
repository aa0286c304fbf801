/** An SMS that was accepted. */
export type Sms = {
  id: string
  /** In the national form: `0…`. */
  phone: string
  brandname: string
  content: string
  isUnicode: boolean
  requestId: string
  /** The `ApiKey` that it was sent with: repeats are dropped by account. */
  account: string
  callbackUrl: string
  acceptedAt: number
  /** 2: waiting to be sent; 5: sent. */
  status: 2 | 5
  /** Undefined until the mobile network has reported it. */
  isSuccess: boolean | undefined
  chargeVnd: number
}

/** An SMS as the control call shows it. */
export function presentSms(sms: Sms) {
  const { id, acceptedAt, ...shown } = sms
  return { SMSID: id, ...shown, acceptedAt: new Date(acceptedAt).toISOString() }
}
