import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconEye } from '@tabler/icons-react'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { formatVnd } from '../../format.ts'
import type { Language } from '../../texts/catalogue.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import type { ArticleValues } from './article-values.ts'
import { newsTexts } from './texts.ts'

/** Opens the article as typed, as the mini-app shows it on a phone. */
export function ArticlePreview({ values }: { values: ArticleValues }) {
  const texts = useTexts(newsTexts)
  const { language } = useLanguage()
  const [isOpen, dialog] = useDisclosure()
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconEye size={14} aria-hidden />}
        onClick={dialog.open}
      >
        {texts.preview}
      </Button>
      <Dialog opened={isOpen} onClose={dialog.close} title={texts.previewTitle} size={430}>
        {/* The frame's sandbox runs no scripts and sends no forms, so the article's HTML is shown unchanged. */}
        <iframe
          title={texts.previewTitle}
          sandbox=""
          srcDoc={documentOf(values, texts.related, language)}
          style={{ width: '100%', height: '70dvh', border: '1px solid var(--line)', borderRadius: 12 }}
        />
      </Dialog>
    </>
  )
}

const STYLE = `*{box-sizing:border-box}body{margin:0;padding:16px;background:#fff;color:#201c18;
font:16px/1.55 system-ui,sans-serif;overflow-wrap:anywhere}img{max-width:100%;height:auto;border-radius:10px}
.cover{width:100%;aspect-ratio:16/9;object-fit:cover}h1{font-size:22px;line-height:1.3;margin:14px 0}
a{color:#2b3f8c;pointer-events:none}table{max-width:100%;border-collapse:collapse}
.button{display:block;margin:8px 0;padding:11px;border-radius:10px;background:#2b3f8c;color:#fff;text-align:center;
text-decoration:none;font-weight:600}h2.related{font-size:17px;margin:24px 0 8px}
.item{display:flex;gap:12px;align-items:center;padding:8px 0;border-top:1px solid #e8e2d8}
.item img{width:56px;height:56px;object-fit:cover}`

function escaped(text: string): string {
  const holder = document.createElement('div')
  holder.textContent = text
  return holder.innerHTML.replaceAll('"', '&quot;')
}

function documentOf(values: ArticleValues, related: string, language: Language): string {
  const { title, content, images, cta, items } = values
  const cover = images[0] === undefined ? '' : `<img class="cover" src="${escaped(images[0])}" alt="">`
  const buttons = cta.map(({ name, url }) => `<a class="button" href="${escaped(url)}">${escaped(name)}</a>`)
  const products = items.map(
    ({ name, price, images: [face] }) =>
      `<div class="item">${face === undefined ? '' : `<img src="${escaped(face)}" alt="">`}
<div>${escaped(name)}<br><b>${escaped(formatVnd(price, language))}</b></div></div>`,
  )
  return `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>${escaped(title)}</title>
<style>${STYLE}</style><main>${cover}<h1>${escaped(title)}</h1>${content}${buttons.join('')}${
    products.length === 0 ? '' : `<h2 class="related">${escaped(related)}</h2>${products.join('')}`
  }</main></html>`
}
