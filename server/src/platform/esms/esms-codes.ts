import { textsIn } from '../../texts/catalogue.ts'
import type { EsmsCode } from '../../texts/keys.ts'
import type { RejectClass } from '../types.ts'

/** The numbers with which eSMS definitely refuses: nothing is sent or charged. Source: its table of error codes. */
const CLASSES = {
  '101': 'auth',
  '102': 'configuration',
  '103': 'platform-money',
  '104': 'configuration',
  '108': 'recipient',
  '118': 'configuration',
  '140': 'configuration',
  '146': 'template',
  '177': 'configuration',
  '300': 'configuration',
} as const satisfies Record<EsmsCode, RejectClass>

/**
 * The meaning of an eSMS number for us; undefined unless it is a definite refusal. 99 is "blocked" in one edition of
 * its table and "unknown error" in another, so the message may or may not have been sent.
 */
export function classOfEsmsCode(code: number): RejectClass | undefined {
  return Object.hasOwn(CLASSES, String(code)) ? CLASSES[String(code) as EsmsCode] : undefined
}

/** A sentence for staff about an eSMS number; undefined if it is no definite refusal. */
export function describeEsmsCode(code: number, language: 'vi' | 'en'): string | undefined {
  return Object.hasOwn(CLASSES, String(code))
    ? textsIn(language).esmsCode[String(code) as EsmsCode]
    : undefined
}
