import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconTemplate } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Waiting } from '../../../components/page.tsx'
import { useTexts } from '../../../texts/language.tsx'
import type { Draft } from '../editor/draft.ts'
import { galleryTexts } from './gallery-texts.ts'

const Gallery = lazy(async () => ({ default: (await import('./gallery.tsx')).Gallery }))

/** The button and dialog for beginning a new template with a starter. */
export function FromGallery({ draft, put }: { draft: Draft; put: (draft: Draft) => void }) {
  const texts = useTexts(galleryTexts)
  const [isOpen, dialog] = useDisclosure()
  const logos = useLogos(draft, isOpen)
  return (
    <>
      <Button variant="default" leftSection={<IconTemplate size={16} aria-hidden />} onClick={dialog.open}>
        {texts.open}
      </Button>
      <Dialog opened={isOpen} onClose={dialog.close} title={texts.title} size={860}>
        <Suspense fallback={<Waiting />}>
          <Gallery
            base={{ oaId: draft.oaId, ...logos }}
            isReplacing={!isBlank(draft)}
            onChoose={(chosen) => {
              put(chosen)
              dialog.close()
            }}
          />
        </Suspense>
      </Dialog>
    </>
  )
}

/** The draft's logos, or otherwise those of the shop's newest template that has both. */
function useLogos(draft: Draft, isOpen: boolean): Pick<Draft, 'logoLight' | 'logoDark'> {
  const latest = useQuery({
    queryKey: ['templates', 'logos'],
    enabled: isOpen,
    queryFn: () =>
      dataOf(api.GET('/api/external/notify-template', { params: { query: { page: 1, size: 20 } } })),
  })
  const { logoLight, logoDark } = draft
  if (logoLight !== '' || logoDark !== '') return { logoLight, logoDark }
  const before = latest.data?.templates.find((one) => one.logoLight && one.logoDark)
  return { logoLight: before?.logoLight ?? '', logoDark: before?.logoDark ?? '' }
}

function isBlank({ name, note, title, contentBlocks }: Draft): boolean {
  return contentBlocks.length <= 1 && [name, note, title, contentBlocks[0]?.value ?? ''].join('') === ''
}
