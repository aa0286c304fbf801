import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { queryClient } from '../../../api/query.ts'
import { meQuery } from '../../../api/session.ts'
import { useAction } from '../../../components/actions.tsx'
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
  const isInIt = shops.some(({ _id }) => _id === shopId)
  const open = async () => {
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
  return (
    <Button
      variant="default"
      leftSection={<IconEye size={16} aria-hidden />}
      loading={visiting.isPending}
      onClick={() => (isInIt ? void open() : visiting.mutate())}
    >
      {isInIt ? texts.open : texts.visit}
    </Button>
  )
}
