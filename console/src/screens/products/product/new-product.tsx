import { Alert } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { Page, sentenceOf } from '../../../components/page.tsx'
import { useSession } from '../../../shell/session.tsx'
import { common } from '../../../texts/common.ts'
import { useTexts } from '../../../texts/language.tsx'
import { OpeningStock } from '../stock/opening-stock.tsx'
import { productTexts } from '../texts.ts'
import { OutcomeText } from './outcome-text.tsx'
import { ProductForm } from './product-form.tsx'

export function NewProduct() {
  const texts = useTexts(productTexts)
  const { noRight } = useTexts(common)
  return (
    <Page title={texts.add}>{useSession().canWrite ? <NewProductForm /> : <Alert>{noRight}</Alert>}</Page>
  )
}

function NewProductForm() {
  const texts = useTexts(productTexts)
  const { offline } = useTexts(common)
  const navigate = useNavigate()
  return (
    <ProductForm
      product={undefined}
      Opening={OpeningStock}
      onCreated={(id, failed) => {
        if (failed !== undefined)
          notifications.show({
            color: 'red',
            autoClose: false,
            title: texts.created,
            message: (
              <>
                {sentenceOf(failed.error, offline)}
                <OutcomeText outcome={failed.outcome} />
              </>
            ),
          })
        void navigate({ to: `/products/${id}`, replace: true, ignoreBlocker: true })
      }}
    />
  )
}
