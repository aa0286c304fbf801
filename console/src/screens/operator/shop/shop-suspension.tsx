import { Alert, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { ConfirmButton, useAction } from '../../../components/actions.tsx'
import { keptOf, useTyped } from '../../../components/forms/kept-form.ts'
import { Card, ProblemNote } from '../../../components/page.tsx'
import { When } from '../../../components/values.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { operatorTexts } from '../texts.ts'
import { shopQuery } from './queries.ts'

type Suspended = { _id: string; name: string; suspendedAt: string | null; suspensionReason: string | null }

/** Suspends or resumes the shop after confirmation (G-69). */
export function ShopSuspension({ shop }: { shop: Suspended }) {
  const { suspension: texts } = useTexts(operatorTexts)
  const [reason, setReason] = useState(() => keptOf<string>('suspension') ?? '')
  const typed = useTyped('suspension', reason, '')
  const path = { params: { path: { id: shop._id } } }
  const changing = useAction({
    run: (to: 'suspended' | 'resumed') =>
      dataOf(
        to === 'suspended'
          ? api.PUT('/api/manage/v1/shops/{id}/suspension', { ...path, body: { reason } })
          : api.DELETE('/api/manage/v1/shops/{id}/suspension', path),
      ),
    stale: [shopQuery(shop._id).queryKey],
    onDone: () => {
      typed.saved('')
      setReason('')
    },
  })
  return (
    <Card title={texts.title}>
      <Stack align="flex-start">
        {changing.error !== null && <ProblemNote error={changing.error} />}
        {shop.suspendedAt === null ? (
          <>
            <Text size="sm">{texts.hint}</Text>
            <TextInput
              label={texts.reason}
              value={reason}
              maxLength={500}
              w="100%"
              onChange={(event) => setReason(event.currentTarget.value)}
            />
            <ConfirmButton
              color="red"
              variant="light"
              question={texts.question(shop.name)}
              confirm={texts.suspend}
              onConfirm={() => changing.mutate('suspended')}
            >
              {texts.suspend}
            </ConfirmButton>
          </>
        ) : (
          <>
            <Alert color="red" title={texts.suspended} w="100%">
              <When at={shop.suspendedAt} /> {shop.suspensionReason}
            </Alert>
            <ConfirmButton
              question={texts.resumeQuestion(shop.name)}
              confirm={texts.resume}
              onConfirm={() => changing.mutate('resumed')}
            >
              {texts.resume}
            </ConfirmButton>
          </>
        )}
      </Stack>
    </Card>
  )
}
