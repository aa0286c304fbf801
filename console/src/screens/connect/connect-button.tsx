import { Button } from '@mantine/core'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useAction } from '../../components/actions.tsx'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import { connectTexts } from './texts.ts'

/** A button that opens the platform's consent page in this tab. Only for the shop's owner. */
export function ConnectButton({ isAgain = false }: { isAgain?: boolean }) {
  const texts = useTexts(connectTexts)
  const { shop, isOwner } = useSession()
  const connecting = useAction({
    run: (id: string) =>
      dataOf(
        api.POST('/api/manage/v1/shops/{id}/official-accounts/connect', {
          params: { path: { id } },
          body: {},
        }),
      ),
    stale: [],
    onDone: ({ data }) => window.location.assign(data.address),
  })
  if (shop === undefined || !isOwner) return null
  return (
    <Button
      variant={isAgain ? 'light' : 'filled'}
      loading={connecting.isPending || connecting.isSuccess}
      onClick={() => connecting.mutate(shop._id)}
    >
      {isAgain ? texts.connectAgain : texts.connect}
    </Button>
  )
}
