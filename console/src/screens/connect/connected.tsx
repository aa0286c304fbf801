import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useAction } from '../../components/actions.tsx'
import { EmptyState, Page, sentenceOf, Waiting } from '../../components/page.tsx'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { connectTexts } from './texts.ts'

const SETTINGS = { to: '/settings', search: { tab: 'accounts' } as never } as const

/**
 * The page to which the platform's consent page returns. Finishes the connection once, then shows the shop's accounts
 * or an error. The state begins with the id of the shop for which the connection was started.
 */
export function Connected() {
  const texts = useTexts(connectTexts)
  const { offline } = useTexts(common)
  const { shop, chooseShop } = useSession()
  const navigate = useNavigate()
  // Read directly from the address, because the router would read an id of digits as a number.
  const [came] = useState(() => Object.fromEntries(new URLSearchParams(window.location.search)))
  const { code, state = '', oa_id: oaId } = came
  const shopId = /^([0-9a-f]{24})\./.exec(state)?.[1]
  const { mutate, error } = useAction({
    run: (from: { code: string; shopId: string }) =>
      dataOf(
        api.POST('/api/manage/v1/shops/{id}/official-accounts/connect/finish', {
          params: { path: { id: from.shopId } },
          body: { code: from.code, state, ...(oaId === undefined ? {} : { oaId }) },
        }),
      ),
    stale: [['official-accounts']],
    quiet: true,
    async onDone({ data }, from) {
      notifications.show({ message: texts.done(data.name), color: 'teal' })
      // Leaves this page first: opening another shop restarts the page, and the code is valid only once.
      await navigate({ ...SETTINGS, replace: true })
      if (from.shopId !== shop?._id) chooseShop(from.shopId)
    },
  })
  const isBegun = useRef(false)
  useEffect(() => {
    if (isBegun.current || code === undefined || shopId === undefined) return
    isBegun.current = true
    mutate({ code, shopId })
  }, [code, shopId, mutate])

  if (code === undefined) return <NotConnected why={texts.refused} />
  if (shopId === undefined) return <NotConnected why={texts.unknown} />
  if (error !== null) return <NotConnected why={sentenceOf(error, offline)} />
  return (
    <Page title={texts.title}>
      <Waiting />
    </Page>
  )
}

function NotConnected({ why }: { why: string }) {
  const texts = useTexts(connectTexts)
  return (
    <Page title={texts.title}>
      <EmptyState
        title={texts.failed}
        hint={why}
        action={
          <Button component={Link} {...SETTINGS}>
            {texts.back}
          </Button>
        }
      />
    </Page>
  )
}
