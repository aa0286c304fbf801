import type { ReactNode } from 'react'
import { Page } from '../../components/page.tsx'
import { RouteTabs } from '../../components/route-tabs.tsx'
import { useTexts } from '../../texts/language.tsx'
import { categoryTexts } from './categories/category-texts.ts'
import { productTexts } from './texts.ts'

/** The lists of products and of categories, each at its own address. */
export function ProductsFrame({ actions, children }: { actions: ReactNode; children: ReactNode }) {
  const texts = useTexts(productTexts)
  const categories = useTexts(categoryTexts)
  return (
    <Page title={texts.title} actions={actions}>
      <RouteTabs tabs={{ '/products': texts.title, '/products/categories': categories.title }}>
        {children}
      </RouteTabs>
    </Page>
  )
}
