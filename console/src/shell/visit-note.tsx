import { Button, Group, Text } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { api } from '../api/client.ts'
import { dataOf } from '../api/problem.ts'
import { queryClient } from '../api/query.ts'
import { meQuery } from '../api/session.ts'
import { useAction } from '../components/actions.tsx'
import { formatTime } from '../format.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import classes from './menu.module.css'
import { useSession } from './session.tsx'
import { shellTexts } from './texts.ts'

/**
 * A note above every page while an operator looks at a shop without being a member. One click ends the visit, and it
 * ends by itself.
 */
export function VisitNote() {
  const texts = useTexts(shellTexts)
  const { language } = useLanguage()
  const { shop } = useSession()
  const navigate = useNavigate()
  const until = shop?.visitUntil ?? null
  const shopId = shop?._id ?? ''

  async function goBack() {
    await navigate({ to: `/operator/shops/${shopId}` })
    await queryClient.refetchQueries(meQuery)
  }
  const leaving = useAction({
    run: () => dataOf(api.DELETE('/api/console/v1/visits/{shopId}', { params: { path: { shopId } } })),
    stale: [['operator', 'audit']],
    quiet: true,
    onDone: () => void goBack(),
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again only for another visit
  useEffect(() => {
    if (until === null) return
    const timer = setTimeout(() => void goBack(), Math.max(0, Date.parse(until) - Date.now()))
    return () => clearTimeout(timer)
  }, [until, shopId])

  if (until === null || shop === undefined) return null
  return (
    <Group role="status" className={`${classes.visit} no-print`} gap="sm">
      <IconEye size={18} aria-hidden />
      <Text flex={1} miw={200} inherit>
        {texts.visiting(shop.name, formatTime(until, language))}
      </Text>
      <Button
        size="compact-md"
        variant="default"
        loading={leaving.isPending}
        onClick={() => leaving.mutate()}
      >
        {texts.leaveShop}
      </Button>
    </Group>
  )
}
