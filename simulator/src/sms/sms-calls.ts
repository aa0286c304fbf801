import type { FastifyInstance, FastifyReply } from 'fastify'
import { hang } from '../faults/faults.ts'
import { asJson, asText, type Json } from '../read.ts'
import { later, nowMs, type State } from '../state.ts'
import { reportSms } from './sms-report.ts'
import type { Sms } from './sms-state.ts'

/** A phone number's behaviour, chosen by the two digits before its last four. */
const MAGIC = {
  BLOCKED: '90',
  FAILS_LATER: '91',
  HANGS_AND_SENT: '92',
  HANGS_AND_LOST: '93',
  NOT_REPORTED: '94',
  REPORTED_TWICE: '95',
  REPORTED_FIRST: '96',
} as const

const PATH = '/MainService.svc/json'

/** A refusal of the SMS provider, in an HTTP 200 response. */
class SmsRefusal extends Error {
  readonly code: string
  constructor(code: number, message: string) {
    super(message)
    this.code = String(code)
  }
}

/** Checks the keys; any keys are accepted if none are set. @throws SmsRefusal 101 for keys other than those set. */
function authorize(state: State, { ApiKey, SecretKey }: Json): void {
  const { smsApiKey, smsSecretKey } = state.settings
  const isRight =
    (smsApiKey === undefined || ApiKey === smsApiKey) &&
    (smsSecretKey === undefined || SecretKey === smsSecretKey)
  if (!isRight || !asText(ApiKey) || !asText(SecretKey)) throw new SmsRefusal(101, 'Authorize Failed')
}

/** Reads an SMS. @throws SmsRefusal for what the provider refuses at once: nothing is sent or charged. */
function readSms(state: State, body: Json): Sms {
  const { settings } = state
  if (asText(body.SmsType) !== '2') throw new SmsRefusal(118, 'Unsupported message type')
  const phone = asText(body.Phone)
  if (!/^(0|84)\d{9}$/.test(phone)) throw new SmsRefusal(108, 'Phone number is not in correct format')
  const brandname = asText(body.Brandname)
  const isKnown = settings.smsBrandnames.length === 0 || settings.smsBrandnames.includes(brandname)
  if (brandname === '' || !isKnown) throw new SmsRefusal(104, 'Brandname does not exist')
  const content = asText(body.Content)
  if (content === '') throw new SmsRefusal(146, 'Wrong customer care template')
  if (phone.slice(-6, -4) === MAGIC.BLOCKED) throw new SmsRefusal(108, 'The number is blocked')
  const requestId = asText(body.RequestId)
  const account = asText(body.ApiKey)
  if (requestId !== '' && state.smsByRequest.has(`${account} ${requestId}`))
    throw new SmsRefusal(124, 'Duplicate RequestId')
  if (settings.smsBalanceVnd < settings.smsPriceVnd) throw new SmsRefusal(103, 'Not enough balance')
  return {
    id: '',
    phone: phone.replace(/^84/, '0'),
    brandname,
    content,
    isUnicode: asText(body.IsUnicode) === '1',
    requestId,
    account,
    callbackUrl: asText(body.CallbackUrl),
    acceptedAt: nowMs(state),
    status: 2,
    isSuccess: undefined,
    chargeVnd: settings.smsPriceVnd,
  }
}

function accept(state: State, sms: Sms): void {
  state.nextMessageNumber += 1
  sms.id = `${String(Math.floor(state.random() * 1e12)).padStart(12, '0')}-${state.nextMessageNumber}`
  state.sms.set(sms.id, sms)
  if (sms.requestId !== '') state.smsByRequest.set(`${sms.account} ${sms.requestId}`, sms.id)
  state.settings.smsBalanceVnd -= sms.chargeVnd
}

/** Decides the SMS's outcome, after the response or, if the number requires it, before. */
async function finish(state: State, sms: Sms, magic: string): Promise<void> {
  const end = async (isReported: boolean) => {
    sms.status = 5
    sms.isSuccess = magic !== MAGIC.FAILS_LATER
    if (isReported) await reportSms(state, sms)
  }
  const { smsCallbackMs } = state.settings
  if (magic === MAGIC.REPORTED_FIRST) return end(true)
  later(state, smsCallbackMs, () => void end(magic !== MAGIC.NOT_REPORTED))
  if (magic === MAGIC.REPORTED_TWICE) later(state, smsCallbackMs * 2, () => void reportSms(state, sms))
}

async function takeSms(state: State, body: Json, reply: FastifyReply): Promise<Json | FastifyReply> {
  authorize(state, body)
  const { smsRefusals } = state.settings
  if (smsRefusals.times > 0) {
    smsRefusals.times -= 1
    throw new SmsRefusal(smsRefusals.code, 'Refused by a setting')
  }
  const sms = readSms(state, body)
  const magic = sms.phone.slice(-6, -4)
  if (magic === MAGIC.HANGS_AND_LOST && !state.smsLostOnce.has(sms.requestId)) {
    state.smsLostOnce.add(sms.requestId)
    return hang(state, reply)
  }
  accept(state, sms)
  await finish(state, sms, magic)
  if (magic === MAGIC.HANGS_AND_SENT) return hang(state, reply)
  return { CodeResult: '100', CountRegenerate: 0, SMSID: sms.id }
}

/** The calls of an SMS provider, as eSMS documents them. */
export function smsRoutes(app: FastifyInstance, state: State): void {
  app.setErrorHandler<Error & { statusCode?: number }>(async (error, req) => {
    if (error instanceof SmsRefusal) return { CodeResult: error.code, ErrorMessage: error.message }
    req.log.error(error)
    return { CodeResult: '99', ErrorMessage: 'Unknown error' }
  })

  for (const path of [
    `${PATH}/SendMultipleMessage_V4_post_json`,
    `${PATH}/SendMultipleMessage_V4_post_json/`,
  ]) {
    app.post(path, async (req, reply) => takeSms(state, asJson(req.body), reply))
  }

  app.get(`${PATH}/GetSendStatus`, async (req) => {
    const query = asJson(req.query)
    const SMSID = asText(query.RefId)
    try {
      authorize(state, query)
    } catch (error) {
      if (error instanceof SmsRefusal) return { CodeResponse: error.code, SMSID }
      throw error
    }
    const sms = state.sms.get(SMSID)
    if (sms === undefined || sms.account !== asText(query.ApiKey)) return { CodeResponse: '105', SMSID }
    return {
      CodeResponse: '100',
      SMSID,
      SendFailed: sms.isSuccess === false ? 1 : 0,
      SendStatus: sms.status,
      SendSuccess: sms.isSuccess === true ? 1 : 0,
      TotalPrice: sms.chargeVnd,
      TotalReceiver: 1,
      TotalSent: sms.status === 5 ? 1 : 0,
    }
  })
}
