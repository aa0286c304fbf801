import type { paths } from '@shopbell/client'

export type MessageRecord =
  paths['/api/external/notify-message/history']['get']['responses'][200]['content']['application/json']['histories'][number]
export type MessageDetail =
  paths['/api/external/notify-message/messages/{id}']['get']['responses'][200]['content']['application/json']['data']
export type MessageState = MessageDetail['status']

/** Why a message failed, as a sentence, with the values that were sent; undefined if there is no reason. */
export function reasonOf(reason: string): { error: string; params: Record<string, string> } | undefined {
  if (reason === '') return undefined
  try {
    const { error, params } = JSON.parse(reason) as { error?: unknown; params?: Record<string, unknown> }
    return {
      error: String(error ?? ''),
      params: Object.fromEntries(Object.entries(params ?? {}).map(([key, value]) => [key, String(value)])),
    }
  } catch {
    return { error: reason, params: {} }
  }
}
