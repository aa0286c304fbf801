import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { queryClient } from '../../../api/query.ts'
import { meQuery } from '../../../api/session.ts'
import { useAction } from '../../../components/actions.tsx'
import { forgetTyped } from '../../../components/forms/kept-form.ts'
import { useMayLeave } from '../../../components/forms/leave-question.tsx'
import { useSession } from '../../../shell/session.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { operatorTexts } from '../texts.ts'

/**
 * Opens the shop's own pages. A member opens them as usual. Anyone else may look at them for half an hour, which is
 * recorded in the shop's audit log.
 */
export function ShopVisit({ shopId }: { shopId: string }) {
  const { shops: texts } = useTexts(operatorTexts)
  const { shops, chooseShop } = useSession()
  const navigate = useNavigate()
  const mayLeave = useMayLeave()
  const isInIt = shops.some(({ _id }) => _id === shopId)
  const open = async () => {
    forgetTyped()
    chooseShop(shopId)
    await navigate({ to: '/' })
  }
  const visiting = useAction({
    run: () => dataOf(api.PUT('/api/console/v1/visits/{shopId}', { params: { path: { shopId } } })),
    stale: [['operator', 'audit']],
    onDone: async () => {
      await queryClient.refetchQueries(meQuery)
      await open()
    },
  })
  // The question comes first: a visit that has started is in the shop's log.
  const begin = async () => {
    if (!(await mayLeave())) return
    if (isInIt) await open()
    else visiting.mutate()
  }
  return (
    <Button
      variant="default"
      leftSection={<IconEye size={16} aria-hidden />}
      loading={visiting.isPending}
      onClick={() => void begin()}
    >
      {isInIt ? texts.open : texts.visit}
    </Button>
  )
}
